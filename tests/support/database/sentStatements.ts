import { Client } from 'pg'

export interface SentStatement {
  /** The name of a statement whose plan the connection keeps. */
  name: string | undefined
  text: string
  values: readonly unknown[]
}

type Query = string | { name?: string; text: string; values?: unknown[] }

/** True for the query with which the server checks the primary every ten seconds. */
const isOfWatch = ({ text }: SentStatement) => text.includes('synchronous_standby_names')

/**
 * Returns the statements that this process sends to PostgreSQL during `work`, in order, with BEGIN and COMMIT. Nothing else may use it at that time.
 */
export async function sentStatements(work: () => Promise<unknown>): Promise<SentStatement[]> {
  const sent: SentStatement[] = []
  // oxlint-disable-next-line unbound-method -- put back as it was
  const query = Client.prototype.query
  Client.prototype.query = function (this: Client, asked: Query, ...more: unknown[]) {
    const { name, text, values = [] } = typeof asked === 'string' ? { name: undefined, text: asked } : asked
    sent.push({ name, text, values: Array.isArray(more[0]) ? (more[0] as unknown[]) : values })
    return Reflect.apply(query, this, [asked, ...more]) as never
  } as never
  try {
    await work()
  } finally {
    Client.prototype.query = query
  }
  return sent.filter((statement) => !isOfWatch(statement))
}

/** Returns only the texts of those statements. */
export const sentTexts = async (work: () => Promise<unknown>): Promise<string[]> =>
  (await sentStatements(work)).map(({ text }) => text)
