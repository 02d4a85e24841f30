import { formatFullDay, startOfDay } from '../singaporeTime.ts'

/** A text that people agree to: the page and the printed PDF use the same words. */
export interface LegalDocument {
  title: string
  /** The version that an acceptance refers to. It changes with every change of words. */
  version: string
  /** Singapore calendar day. */
  inForceFrom: string
  /** Paragraphs before the first section. */
  intro: readonly string[]
  sections: readonly LegalSection[]
  /** The lines at the end that are filled in by hand; on paper only. */
  signature?: readonly string[]
}

export interface LegalSection {
  title: string
  clauses: readonly LegalClause[]
}

/** One numbered clause; if it has a list, the text introduces it. */
export type LegalClause = string | { text: string; items: readonly string[] }

export const clauseText = (clause: LegalClause): string => (typeof clause === 'string' ? clause : clause.text)

export const clauseItems = (clause: LegalClause): readonly string[] => (typeof clause === 'string' ? [] : clause.items)

/** Returns `a`, `b` … for the items in a clause. */
export const itemLetter = (index: number): string => String.fromCodePoint('a'.codePointAt(0)! + index)

/** Returns for example `Version 1.0, in force from 21 November 2026`. */
export const versionLine = ({ version, inForceFrom }: LegalDocument): string =>
  `Version ${version}, in force from ${formatFullDay(startOfDay(inForceFrom))}`
