import { Client } from 'pg'
import { vi } from 'vitest'

/** Every statement that this process sends to PostgreSQL while `work` is done, in order and without its values. */
export async function sentStatements(work: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(Client.prototype, 'query')
  try {
    await work()
    return (query.mock.calls as unknown[][]).map(([asked]) => textOf(asked as string | { text: string }))
  } finally {
    query.mockRestore()
  }
}

const textOf = (asked: string | { text: string }) => (typeof asked === 'string' ? asked : asked.text)
