import { Client } from 'pg'

export interface SentStatement {
  text: string
  values: readonly unknown[]
}

/** What `work` sends to PostgreSQL, in order, transactions included. Nothing else may use the database meanwhile. */
export async function sentStatements(work: () => Promise<unknown>): Promise<SentStatement[]> {
  const sent: SentStatement[] = []
  // oxlint-disable-next-line unbound-method -- put back as it was
  const query = Client.prototype.query
  Client.prototype.query = function (
    this: Client,
    asked: string | { text: string; values?: unknown[] },
    ...more: unknown[]
  ) {
    const text = typeof asked === 'string' ? asked : asked.text
    const given = Array.isArray(more[0]) ? (more[0] as unknown[]) : undefined
    sent.push({ text, values: given ?? (typeof asked === 'string' ? [] : (asked.values ?? [])) })
    return Reflect.apply(query, this, [asked, ...more]) as never
  } as never
  try {
    await work()
  } finally {
    Client.prototype.query = query
  }
  return sent
}
