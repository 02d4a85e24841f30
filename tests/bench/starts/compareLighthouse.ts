import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { HELLO } from './compareStarts.ts'
import type { Comparison } from '../comparison.ts'
import type { Scores, Throttling } from '../lighthouse.ts'
import { lighthouse } from '../lighthouse.ts'
import { buildBoth } from '../accounts/loginJavaScript.ts'
import { waitForQuietMachine } from '../quietMachine.ts'

type Name = 'hello' | 'stack' | 'product'

interface Wanted {
  what: keyof Scores
  throttling: Throttling
  beside: Exclude<Name, 'product'> | 100
  goal?: string
}

const WANTED: Wanted[] = [
  { what: 'performance', throttling: 'simulate', beside: 100, goal: '≥ 0.99' },
  { what: 'largest-contentful-paint', throttling: 'simulate', beside: 'stack', goal: '≤ 1.15' },
  { what: 'total-blocking-time', throttling: 'simulate', beside: 'stack' },
  { what: 'accessibility', throttling: 'simulate', beside: 100, goal: '= 1' },
  { what: 'best-practices', throttling: 'simulate', beside: 100, goal: '= 1' },
  { what: 'first-contentful-paint', throttling: 'devtools', beside: 'hello' },
  { what: 'largest-contentful-paint', throttling: 'devtools', beside: 'hello', goal: '≤ 1.10' },
  { what: 'interactive', throttling: 'devtools', beside: 'stack', goal: '≤ 1.25' },
]

/** PERFORMANCE §6, goals 3–7. A row that could not be run says so, and is a number of nothing. */
export async function compareLighthouse({ runs }: { runs: number }): Promise<Comparison[]> {
  const { product, baseline } = buildBoth()
  const directories: Record<Name, string> = { hello: HELLO, stack: baseline, product }
  const all = new Map<string, Scores[]>()
  for (let run = 0; run < runs; run++) {
    for (const [name, directory] of Object.entries(directories)) {
      for (const throttling of ['simulate', 'devtools'] as const) {
        const scores = await scored(directory, throttling)
        if (!scores) return [unrun()]
        const key = `${name} ${throttling}`
        all.set(key, [...(all.get(key) ?? []), scores])
      }
    }
  }
  const of = (name: Name, { what, throttling }: Wanted) =>
    (all.get(`${name} ${throttling}`) ?? []).map((one) => one[what]).toSorted((a, b) => a - b)[runs >> 1] ?? Number.NaN
  return WANTED.map((wanted) => ({
    what: `Lighthouse, ${wanted.throttling}: ${wanted.what}`,
    product: of('product', wanted),
    baseline: wanted.beside === 100 ? 100 : of(wanted.beside, wanted),
    unit: wanted.beside === 100 ? 'score' : 'ms',
    against: wanted.beside === 100 ? 'the best there is' : wanted.beside,
    goal: wanted.goal,
  }))
}

const unrun = (): Comparison => {
  const nothing = { product: Number.NaN, baseline: Number.NaN, unit: '', against: '' }
  return { what: 'Lighthouse: unrun, it could not be had', ...nothing }
}

/** The server in a process of its own: Lighthouse is waited for, and nothing here could answer it. */
async function scored(directory: string, throttling: Throttling): Promise<Scores | undefined> {
  await waitForQuietMachine()
  const server = spawn(process.execPath, ['--import', 'tsx', `${import.meta.dirname}/serveBuild.ts`, directory])
  try {
    const [url] = (await once(server.stdout, 'data')) as [Buffer]
    return lighthouse(`${String(url).trim()}/login`, throttling)
  } finally {
    server.kill()
  }
}
