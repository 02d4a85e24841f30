#!/usr/bin/env bash
# `npm ci --omit=dev` installs a development dependency, because a dependency may use it.
#
# Guess: a package that only devDependencies name is left out. An optional peer is what a package does without, so that it is there for
#   development is no reason to install it for production.
# Seen: npm 11.19 marks TypeScript 7.0.2 as `devOptional` in the lockfile as soon as valibot 1.5.0, whose optional peer it is, is
#   a dependency, and installs it with --omit=dev; --omit=peer does not help. Under the name of an alias it is left out.
# Why it matters here: 31 of 235 MB in the image were a compiler that never runs there, and in every scan of it. package.json has it as `tsc`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Prints whether --omit=dev installs TypeScript, which devDependencies name `$1` with the version `$2`.
installed() {
  mkdir "$folder/$1" && cd "$folder/$1"
  printf '{"name":"app","version":"1.0.0","dependencies":{"valibot":"1.5.0"},"devDependencies":{"%s":"%s"}}' "$1" "$2" > package.json
  npm install --silent --no-audit --no-fund --package-lock-only
  npm ci --silent --no-audit --no-fund --omit=dev --omit=peer
  if [ -d "node_modules/$1" ]; then echo yes; else echo no; fi
}
by_name=$(installed typescript 7.0.2)
by_alias=$(installed tsc npm:typescript@7.0.2)
echo "npm $(npm --version), --omit=dev: typescript is installed: $by_name; as tsc: $by_alias"
[ "$by_name $by_alias" = 'yes no' ] || { echo 'This is not what was seen.'; exit 1; }
