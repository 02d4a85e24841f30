import type { Comparison } from './comparison.ts'
import { buildBoth, loginJavaScript } from './accounts/loginJavaScript.ts'

/** What /login asks for before it can be used, against the least a page of this stack can ask for. */
export async function compareLoginJavaScript(): Promise<Comparison[]> {
  const { product, baseline } = buildBoth()
  const ours = await middle(product)
  const least = await middle(baseline)
  return [
    {
      what: 'JavaScript before /login is usable',
      product: ours,
      baseline: least,
      unit: 'bytes, brotli',
      goal: '≤ 1.35',
      against: 'React + TanStack Router, one form',
    },
  ]
}

const OPENINGS = 5

/** A script asked for in the very frame the button appears falls on either side, so the middle one of several openings counts. */
async function middle(directory: string): Promise<number> {
  const bytes: number[] = []
  for (let opening = 0; opening < OPENINGS; opening++) bytes.push((await loginJavaScript(directory)).bytes)
  return bytes.toSorted((a, b) => a - b)[Math.floor(OPENINGS / 2)] ?? Number.NaN
}
