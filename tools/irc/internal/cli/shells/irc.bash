# Completion of irc for bash. In ~/.bashrc: source <(irc completion bash)
_irc() {
  # Bash has split the line at = and :, where irc does not.
  local rest="${COMP_LINE:0:COMP_POINT}" lead word i words=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    lead="${rest%%[![:space:]]*}"
    rest="${rest:${#lead}}"
    word="${COMP_WORDS[i]}"
    ((i < COMP_CWORD)) || word="$rest"
    rest="${rest:${#word}}"
    if [[ -n $lead || $i -eq 0 ]]; then words+=("$word"); else words[${#words[@]} - 1]+="$word"; fi
  done

  # What bash replaces begins after the last = or :, or after an open quote; what stands
  # before it in the word is no part of an answer.
  local last=$((${#words[@]} - 1)) raw quotes tail line files=
  raw="${words[last]}" quotes="${raw//[^\"\']/}"
  if ((${#quotes} % 2)); then tail="${raw##*[\"\']}"; else tail="${raw##*[$COMP_WORDBREAKS]}"; fi
  words=("${words[@]//[\"\'\\]/}")
  local before="${words[last]%"${tail//\\/}"}"

  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      :files) files=1 ;;
      :nospace) compopt -o nospace ;;
      *) word="${line%%$'\t'*}" && COMPREPLY+=("${word#"$before"}") ;;
    esac
  done < <("${words[0]/#\~\//$HOME/}" completion bash -- "${words[@]:1}" 2>/dev/null)

  if [[ $files ]]; then
    compopt -o filenames
    word="${words[last]}"
    [[ $word == -*=* ]] && word="${word#*=}"
    lead="${words[last]%"$word"}"
    while IFS= read -r line; do
      line="$lead$line" && COMPREPLY+=("${line#"$before"}")
    done < <(compgen -f -- "$word")
  fi
}
complete -F _irc irc
