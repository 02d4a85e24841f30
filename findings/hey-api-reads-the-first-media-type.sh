#!/usr/bin/env bash
# hey-api takes the type of an answer with several media types from the first of them only.
#
# Guess: an answer that is text/csv or a workbook becomes the type `string | Blob`.
# Seen: @hey-api/openapi-ts 0.95.0: the type is `string` if text/csv comes first, and `Blob | File` if the workbook does. orval 8.38.0
#   names both types.
# Why it matters here: with CSV first, the client of a report would have the type `string` for the bytes of an XLSX.
#   src/contract/reports/report.ts names the workbook first.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund @hey-api/openapi-ts@0.95.0 typescript@5.9.3 > /dev/null
cat > look.mjs <<'JS'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const text = { 'text/csv': { schema: { type: 'string' } } }
const sheet = {
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': { schema: { type: 'string', format: 'binary' } },
}

function typeOf(content) {
  const get = { operationId: 'report', responses: { 200: { description: 'Done', content } } }
  const document = { openapi: '3.1.0', info: { title: 'Reports', version: '1' }, paths: { '/report': { get } } }
  writeFileSync('api.json', JSON.stringify(document))
  execFileSync('npx', ['openapi-ts', '-i', 'api.json', '-o', 'made'], { stdio: 'ignore' })
  return /ReportResponses = \{[^}]*200: ([^;]+);/.exec(readFileSync('made/types.gen.ts', 'utf8'))[1]
}

const seen = [typeOf({ ...text, ...sheet }), typeOf({ ...sheet, ...text })]
console.log(`CSV first: ${seen[0]}; workbook first: ${seen[1]}`)
const isAsSeen = seen.join() === 'string,Blob | File'
if (!isAsSeen) console.log('This is not what was seen.')
process.exit(isAsSeen ? 0 : 1)
JS
node look.mjs
