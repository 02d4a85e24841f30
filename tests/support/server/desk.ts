import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommandLine } from './runCommandLine.ts'

/** Runs a command of the provider's desk as an operator with these settings. Returns its output. */
export async function desk(env: Record<string, string>, words: string): Promise<string> {
  const { code, out, err } = await runCommandLine('provider', words.split(' '), env)
  if (code !== 0) throw new Error(`provider ${words} ended with ${code}: ${err}`)
  return out
}

/** Issues vouchers of $10 at the desk. Returns their codes and the printed sheet. */
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
