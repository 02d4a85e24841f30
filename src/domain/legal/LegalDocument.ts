import { formatFullDay, startOfDay } from '../singaporeTime.ts'

/** A text people agree to: written once, shown as a page and printed as PDF from the same words. */
export interface LegalDocument {
  title: string
  /** What an acceptance refers to. A new one with every change of words. */
  version: string
  /** Singapore calendar day. */
  inForceFrom: string
  /** Before the first section, one paragraph each. */
  intro: readonly string[]
  sections: readonly LegalSection[]
  /** What is filled in by hand at the end, one line each; on paper only. */
  signature?: readonly string[]
}

export interface LegalSection {
  title: string
  clauses: readonly LegalClause[]
}

/** One numbered clause; with a list, the text leads into it. */
export type LegalClause = string | { text: string; items: readonly string[] }

export const clauseText = (clause: LegalClause): string => (typeof clause === 'string' ? clause : clause.text)

export const clauseItems = (clause: LegalClause): readonly string[] => (typeof clause === 'string' ? [] : clause.items)

/** `a`, `b` … as a list of a clause is lettered. */
export const itemLetter = (index: number): string => String.fromCodePoint('a'.codePointAt(0)! + index)

/** `Version 1.0, in force from 21 November 2026` */
export const versionLine = ({ version, inForceFrom }: LegalDocument): string =>
  `Version ${version}, in force from ${formatFullDay(startOfDay(inForceFrom))}`
