# Completion of irc for fish: irc completion fish > ~/.config/fish/completions/irc.fish
function __irc_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct | string replace -ar '[\'"\\\\]' '')
    for line in (command $words[1] completion fish -- $words[2..-1] "$word" 2>/dev/null)
        switch $line
            case :files
                set -l value (string replace -r '^-[^=]*=' '' -- $word)
                set -l before (string match -r '^-[^=]*=' -- $word)
                for file in (__fish_complete_path "$value")
                    echo -- "$before$file"
                end
            case :nospace
            case '*'
                echo -- $line
        end
    end
end
complete -c irc -f -a '(__irc_complete)'
