import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommandLine } from './runCommandLine.ts'

/** What the provider's desk prints for a command, as an operator runs it with these settings. */
export async function desk(env: Record<string, string>, words: string): Promise<string> {
  const { code, out, err } = await runCommandLine('provider', words.split(' '), env)
  if (code !== 0) throw new Error(`provider ${words} ended with ${code}: ${err}`)
  return out
}

/** Vouchers of $10 with their codes, and a picture of each, as the desk issues them. */
export async function issueVouchers<Picture = undefined>(
  env: Record<string, string>,
  count: number,
  pictureOf: (path: string) => Picture = () => undefined as Picture,
) {
  const folder = mkdtempSync(join(tmpdir(), 'sheet-'))
  const csv = await desk(
    env,
    `issue-vouchers --count ${count} --denomination 10 --expires 2099-12-31 --sheet ${folder}`,
  )
  const issued = csv
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [serial = '', , , code = ''] = line.split(',')
      return { serial, code, picture: pictureOf(join(folder, `${serial}.png`)) }
    })
  rmSync(folder, { recursive: true })
  return issued
}
