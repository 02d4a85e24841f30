import { Client } from 'pg'
import { vi } from 'vitest'

/** What the watch over the primary asks every ten seconds, whoever works meanwhile. */
const isOfWatch = (text: string) => text.includes('synchronous_standby_names')

/** Every statement that this process sends to PostgreSQL for `work` while it is done, in order and without its values. */
export async function sentStatements(work: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(Client.prototype, 'query')
  try {
    await work()
    const sent = (query.mock.calls as unknown[][]).map(([asked]) => textOf(asked as string | { text: string }))
    return sent.filter((text) => !isOfWatch(text))
  } finally {
    query.mockRestore()
  }
}

const textOf = (asked: string | { text: string }) => (typeof asked === 'string' ? asked : asked.text)
