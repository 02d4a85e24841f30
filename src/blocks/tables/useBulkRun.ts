import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../api/ApiError.ts'
import { failureText } from '../record/runAction.ts'
import type { RecordList } from './RecordList.ts'

export interface BulkRun {
  stage: 'asking' | 'running' | 'done'
  results: readonly BulkResult[]
  start: () => void
  /** The call under way is finished; no further one begins. */
  stop: () => void
}

/** One row after the other: if the connection drops, it is clear which rows are done, and the server's limits count one at a time. */
export function useBulkRun<Row>(
  { rowKey, rowName }: Pick<RecordList<Row, never>, 'rowKey' | 'rowName'>,
  act: BulkAction<Row>,
  rows: readonly Row[],
): BulkRun {
  const [stage, setStage] = useState<BulkRun['stage']>('asking')
  const [results, setResults] = useState<readonly BulkResult[]>([])
  const stopped = useRef(false)
  useEffect(() => {
    stopped.current = false
    return () => {
      stopped.current = true
    }
  }, [])

  async function run() {
    setStage('running')
    for (const row of rows) {
      if (stopped.current) break
      const failure = await failureMessageOf(() => act.run(row))
      setResults((before) => [...before, { key: rowKey(row), name: rowName(row), failure }])
    }
    setStage('done')
  }
  const stop = () => {
    stopped.current = true
  }
  return { stage, results, start: () => void run(), stop }
}

/** The server's words, or undefined if it worked. Anything but a refused call is a bug, and is reported as one. */
async function failureMessageOf(run: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await run()
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return failureText(error)
    reportError(error)
    return 'Please try again.'
  }
}

/** One act on many rows, one call each. */
export interface BulkAction<Row> {
  /** The button and, with the number, the question: "Deactivate". */
  label: string
  /** While it runs, and once it is done with a row: "Deactivating", "Deactivated". */
  doing: string
  done: string
  /** What it means, for the question. */
  consequence: string
  destructive: boolean
  /** Why this row is left out; undefined if it takes part. */
  refuses: (row: Row) => string | undefined
  run: (row: Row) => Promise<unknown>
}

export interface BulkResult {
  key: string
  name: string
  /** Undefined once it worked. */
  failure: string | undefined
}
