#compdef irc
# Completion of irc for zsh: irc completion zsh > FOLDER/_irc, with a FOLDER of $fpath; or,
# in ~/.zshrc after compinit: source <(irc completion zsh)
_irc() {
  local line word files open before=
  local -a answers shown
  word="${PREFIX//[\"\'\\]/}"
  for line in "${(@f)$("${words[1]/#\~\//$HOME/}" completion zsh -- "${(@Q)words[2,CURRENT-1]}" "$word" 2>/dev/null)}"; do
    case "$line" in
      '') ;;
      :files) files=1 ;;
      :nospace) open=1 ;;
      *) answers+=("${line%%$'\t'*}") shown+=("${line/$'\t'/  -- }") ;;
    esac
  done
  if [[ $word == -*=* ]]; then
    compset -P '*=' # what stands before a value is no part of an answer
    before="${word%"${PREFIX//[\"\'\\]/}"}"
    answers=("${(@)answers#"$before"}") shown=("${(@)shown#"$before"}")
  fi
  if ((${#answers})); then
    if [[ -n $open ]]; then compadd -S '' -d shown -a -- answers; else compadd -d shown -a -- answers; fi
  fi
  [[ -z $files ]] || _files
}
if [[ "$funcstack[1]" == _irc ]]; then _irc "$@"; else compdef _irc irc; fi
