# To be read by scripts that get something out of Debian's packages without a change to apt's own configuration: makes the folder
# $dir, which goes when the script ends, with a copy of apt's sources that has been edited by the first script of sed
# (.sources) or the second (sources.list, with -n), and has apt use it. The script says what skip does.
apt_sources() {
  dir=$(mktemp -d)
  trap 'rm -rf "$dir"' EXIT INT TERM
  mkdir -p "$dir/lists/partial" "$dir/cache/archives/partial" "$dir/sources.list.d"
  if [ -f /etc/apt/sources.list.d/debian.sources ]; then
    sed "$1" /etc/apt/sources.list.d/debian.sources >"$dir/sources.list.d/debian.sources"
  elif [ -s /etc/apt/sources.list ]; then
    sed -n "$2" /etc/apt/sources.list >"$dir/sources.list"
  else
    skip "these are not Debian's sources"
  fi
  touch "$dir/sources.list"
  cat >"$dir/apt.conf" <<END
Dir::Etc::sourcelist "$dir/sources.list";
Dir::Etc::sourceparts "$dir/sources.list.d";
Dir::State::lists "$dir/lists";
Dir::Cache "$dir/cache";
APT::Sandbox::User "$(id -un)";
END
  export APT_CONFIG="$dir/apt.conf"
  apt-get update -qq >/dev/null 2>&1 || skip "apt-get update fails (no network?)"
}
