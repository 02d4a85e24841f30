import { useState } from 'react'
import { ApiError } from '../../../api/ApiError.ts'
import { call } from '../../../api/call.ts'
import { failureText } from '../../../blocks/record/runAction.ts'
import type { AnswerOf } from '../../../contract/endpoint.ts'
import { importRescueCopy } from '../../../contract/redemptions/rescue.ts'
import {
  joinRescueParts,
  readRescueText,
  type JoinedParts,
  type RescuePart,
} from '../../../domain/devices/rescueCopies.ts'

/** What became of one voucher of a copy. */
export type ImportedRow = AnswerOf<typeof importRescueCopy>['rows'][number]

export interface RescueImport {
  /** Reads a code, a file or a text. False when it holds nothing of a rescue copy. */
  add: (text: string) => boolean
  /** Whole copies that came as text. */
  filed: number
  /** Copies that come as codes, and which of those are missing. */
  codes: readonly JoinedParts[]
  /** How many copies can be imported now. */
  copies: number
  isEmpty: boolean
  stage: 'waiting' | 'busy' | 'done'
  failure: string | undefined
  outcomes: readonly ImportedRow[]
  start: () => void
}

/** Collects a rescue copy on this page, and imports it. What was read stays whatever comes of the import: it may be started again. */
export function useRescueImport(): RescueImport {
  const [filed, setFiled] = useState<readonly string[]>([])
  const [parts, setParts] = useState<readonly RescuePart[]>([])
  const [stage, setStage] = useState<RescueImport['stage']>('waiting')
  const [failure, setFailure] = useState<string>()
  const [outcomes, setOutcomes] = useState<readonly ImportedRow[]>([])
  const codes = joinRescueParts(parts)
  const copies = [...new Set([...filed, ...codes.flatMap((one) => one.copies)])]

  const add = (text: string) => {
    const found = readRescueText(text)
    if (found.copies.length + found.parts.length === 0) return false
    setFiled((known) => [...new Set([...known, ...found.copies])])
    setParts((known) => [...known, ...found.parts])
    setStage('waiting')
    return true
  }
  const start = async () => {
    setStage('busy')
    setFailure(undefined)
    setOutcomes([])
    const refusals: string[] = []
    for (const copy of copies) {
      const failed = await importOne(copy)
      if (!failed) continue
      refusals.push(
        failed.isConnectionFault
          ? `${failed.statusMessage} Import it again: nothing counts twice.`
          : failureText(failed),
      )
      // Whatever follows would fail as well; a copy that is refused says nothing of the others.
      if (failed.isConnectionFault) break
    }
    setStage(refusals.length > 0 ? 'waiting' : 'done')
    if (refusals.length > 0) setFailure([...new Set(refusals)].join(' '))
  }
  const importOne = async (copy: string): Promise<ApiError | undefined> => {
    try {
      const { rows } = await call(importRescueCopy, { body: { copy } })
      setOutcomes((known) => [...known, ...rows])
      return undefined
    } catch (error) {
      if (error instanceof ApiError) return error
      throw error
    }
  }
  return {
    add,
    filed: filed.length,
    codes,
    copies: copies.length,
    isEmpty: filed.length === 0 && codes.length === 0,
    stage,
    failure,
    outcomes,
    start: () => void start(),
  }
}
