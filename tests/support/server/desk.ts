import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommandLine } from './runCommandLine.ts'

/** What the provider's desk prints for a command, as an operator runs it with these settings. */
export async function desk(env: Record<string, string>, words: string): Promise<string> {
  const { code, out, err } = await runCommandLine('provider', words.split(' '), env)
  if (code !== 0) throw new Error(`provider ${words} ended with ${code}: ${err}`)
  return out
}

/** Issues vouchers of $10 as the desk does. Answers their codes, and the sheet that is printed. */
export async function issueVouchers(env: Record<string, string>, count: number) {
  const folder = mkdtempSync(join(tmpdir(), 'sheet-'))
  const csv = await desk(
    env,
    `issue-vouchers --count ${count} --denomination 10 --expires 2099-12-31 --sheet ${folder}`,
  )
  const sheet = Uint8Array.from(readFileSync(join(folder, 'vouchers.pdf'))).buffer
  rmSync(folder, { recursive: true })
  const rows = csv.trim().split('\n').slice(1)
  const vouchers = rows.map((row) => {
    const [serial = '', , , code = ''] = row.split(',')
    return { serial, code }
  })
  return { vouchers, sheet }
}
