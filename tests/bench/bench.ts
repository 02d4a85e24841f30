import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { compareDecoding } from './compareDecoding.ts'
import { compareLoginJavaScript } from './compareLoginJavaScript.ts'
import { compareRedemptions } from './compareRedemptions.ts'
import { compareSignIns } from './compareSignIns.ts'
import { compareTables } from './compareTables.ts'
import { type Comparison, table } from './comparison.ts'

/** `npm run bench`: the product against baselines of the same run. It informs and never fails: numbers belong to a machine. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: 'string' },
      runs: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '4' },
    },
  })
  const runs = Number(values.runs)
  const seconds = Number(values.seconds)
  const results: Comparison[] = [
    ...(await compareLoginJavaScript()),
    ...(await compareDecoding()),
    ...(await compareRedemptions({ runs, seconds, connections: 16 })),
    ...(await compareSignIns({ runs, seconds, connections: 16 })),
    ...(await compareTables({ runs, seconds })),
  ]
  console.log(`\n${table(results)}\n\nEach rate is the middle one of ${runs} runs of ${seconds} s.`)
  if (values.json)
    writeFileSync(values.json, `${JSON.stringify({ at: new Date().toISOString(), runs, seconds, results }, null, 2)}\n`)
}

await main()
