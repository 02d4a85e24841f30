import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { compareConfirm } from './compareConfirm.ts'
import { compareDashboards } from './compareDashboards.ts'
import { compareDecoding } from './compareDecoding.ts'
import { compareImport } from './compareImport.ts'
import { compareLighthouse } from './compareLighthouse.ts'
import { compareLoginJavaScript } from './compareLoginJavaScript.ts'
import { comparePageChange } from './comparePageChange.ts'
import { comparePalette } from './comparePalette.ts'
import { compareRedemptions } from './compareRedemptions.ts'
import { compareReports } from './compareReports.ts'
import { compareSignIns } from './compareSignIns.ts'
import { compareStarts } from './compareStarts.ts'
import { compareTables } from './compareTables.ts'
import { type Comparison, table } from './comparison.ts'

interface Length {
  runs: number
  seconds: number
}

const SERIES: Record<string, (length: Length) => Promise<Comparison[]>> = {
  login: compareLoginJavaScript,
  starts: compareStarts,
  lighthouse: compareLighthouse,
  camera: compareDecoding,
  confirm: compareConfirm,
  redemptions: compareRedemptions,
  'sign-ins': (length) => compareSignIns({ ...length, connections: 16 }),
  reports: compareReports,
  dashboard: compareDashboards,
  import: compareImport,
  palette: comparePalette,
  tables: async (length) => [...(await compareTables(length)), ...(await comparePageChange())],
}

/** `npm run bench`: the product against baselines of the same run. It informs and never fails: numbers belong to a machine. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'string' },
      runs: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '4' },
    },
  })
  const runs = Number(values.runs)
  const seconds = Number(values.seconds)
  const results: Comparison[] = []
  for (const compare of chosen(positionals)) results.push(...(await compare({ runs, seconds })))
  console.log(`\n${table(results)}\n\nEach rate is the middle one of ${runs} runs of ${seconds} s.`)
  if (values.json)
    writeFileSync(values.json, `${JSON.stringify({ at: new Date().toISOString(), runs, seconds, results }, null, 2)}\n`)
}

/** The named series, or all of them. */
function chosen(names: string[]) {
  const unknown = names.filter((name) => !(name in SERIES))
  if (unknown.length > 0)
    throw new Error(`no series ${unknown.join(', ')}; there are ${Object.keys(SERIES).join(', ')}`)
  return Object.entries(SERIES).flatMap(([name, compare]) =>
    names.length === 0 || names.includes(name) ? [compare] : [],
  )
}

await main()
