import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import type * as v from 'valibot'
import { call } from '../../api/call.ts'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import type { PermissionMap } from '../../contract/accounts/permissions.ts'
import type { User } from '../../contract/accounts/user.ts'
import { reportPreview, ReportPreview } from '../../contract/reports/reportPreview.ts'
import { vouchers, type VoucherRow } from '../../contract/vouchers.ts'
import { may } from '../../domain/accounts/permissions.ts'
import { formatCents } from '../../domain/money.ts'
import { formatCount, pluralize } from '../../domain/quantities.ts'
import { formatAsOf, formatInstant, singaporeDay } from '../../domain/singaporeTime.ts'
import { formatSerial } from '../../domain/vouchers.ts'
import { fetchAndCache, readCached, readKey } from '../../offline/reads/cachedRead.ts'
import { userStore } from '../../offline/storage/userStore.ts'
import { serverNow } from '../../state/auth.ts'
import { ICONS } from '../../ui/icons.tsx'
import { answerTo, fileItem, listItem, placeOf, voucherQuery, type Answer } from './answers.ts'
import type { Item } from './paletteItems.ts'
import { readQuestions } from './question.ts'

/** The server is asked after a pause in typing, not at every key. */
const PAUSE_MS = 300
/** The number of rows shown if there is only one answer. */
const ROWS_SHOWN = 3

/** Returns the Singapore day by the server's clock. */
export const serverDay = (): string => singaporeDay(new Date(serverNow()))

interface Asked {
  typed: string
  /** The palette's items: the branches among them can be asked for. */
  items: readonly Item[]
  user: User
  permissions: PermissionMap
}

/**
 * Returns the answers to the typed question as items: its list with count and amount, its file, and the first rows. `said` is
 * for screen readers.
 */
export function useAnswers({ typed, items, user, permissions }: Asked): { answers: Item[]; said: string } {
  const offline = useOffline()
  const navigate = useNavigate()
  const today = serverDay()
  const answers = useMemo(() => {
    const branches = items.flatMap(({ id, label, detail }) => (detail === 'Branch' ? [{ guid: id, name: label }] : []))
    const mayView = ({ feature }: Answer) => may(user, { feature, action: 'view' }, permissions)
    return readQuestions(typed, { today, branches })
      .map((question) => answerTo(question, user.branch_guid))
      .filter(mayView)
  }, [typed, items, today, user, permissions])
  const found = useFound(user.guid, answers, offline)
  const mayDownload = may(user, { feature: 'reports', action: 'download' }, permissions)
  const openDownloads = () => void navigate({ to: '/downloads' })
  const itemsOf = (answer: Answer): Item[] => {
    const file = mayDownload ? fileItem(answer, { owner: user.guid, offline, openDownloads }) : undefined
    return [{ ...listItem(answer), ...shownFound(found.get(answer.id)) }, ...(file ? [file] : [])]
  }
  const [only, ...others] = answers
  const rows = only && others.length === 0 ? rowItems(only, found.get(only.id)) : []
  const said = answers.map(({ id, title }) => [title, shownFound(found.get(id)).answer].filter(Boolean).join(': '))
  return { answers: [...answers.flatMap(itemsOf), ...rows], said: said.join('. ') }
}

/** The vouchers of an answer; 'unknown' without a connection, unless this device has read the same list before. */
type Found = 'unknown' | FoundVouchers

interface FoundVouchers {
  total: number
  totalCapped: boolean
  cents: number | undefined
  rows: readonly VoucherRow[]
  /** The time of the answer, if it is not a new one. */
  asOf: Date | undefined
}

function shownFound(found: Found | undefined): Pick<Item, 'answer' | 'needs'> {
  if (found === undefined) return {}
  if (found === 'unknown') return { needs: 'Needs a connection' }
  const { total, totalCapped, cents, asOf } = found
  const count = totalCapped ? `More than ${formatCount(total)} vouchers` : pluralize(total, 'voucher')
  const age = asOf && `as of ${formatAsOf(asOf, new Date(serverNow()))}`
  return { answer: [count, cents !== undefined && formatCents(cents), age].filter(Boolean).join(', ') }
}

function rowItems(answer: Answer, found: Found | undefined): Item[] {
  if (found === undefined || found === 'unknown') return []
  return found.rows.slice(0, ROWS_SHOWN).map((row) => {
    const at = row.voided_at ?? row.date_used
    const facts = [formatCents(row.denomination_cents), at && formatInstant(new Date(at)), row.branch_name]
    return {
      id: `row/${row.guid}/${at}`,
      label: formatSerial(row.serial),
      detail: 'Voucher',
      answer: facts.filter(Boolean).join(', '),
      icon: ICONS.ticket,
      go: placeOf(answer, row.guid),
    }
  })
}

/** Reads the vouchers of each answer, by the id of the answer. */
function useFound(owner: string, answers: readonly Answer[], offline: boolean): ReadonlyMap<string, Found> {
  const [found, setFound] = useState<ReadonlyMap<string, Found>>(new Map())
  useEffect(() => {
    let hasLeft = false
    const read = async (answer: Answer) => {
      const vouchersFound = await readFound(owner, answer, offline)
      // A server that fails does not tell that the connection is missing.
      const next = vouchersFound ?? (offline ? 'unknown' : undefined)
      if (!hasLeft && next) setFound((now) => new Map(now).set(answer.id, next))
    }
    const counted = answers.filter(({ list }) => list === 'voucher')
    const pause = setTimeout(() => counted.forEach((answer) => void read(answer)), PAUSE_MS)
    return () => {
      hasLeft = true
      clearTimeout(pause)
    }
  }, [owner, answers, offline])
  return found
}

async function readFound(owner: string, answer: Answer, offline: boolean): Promise<FoundVouchers | undefined> {
  const body = voucherQuery(answer)
  const ask = <S extends v.GenericSchema>(key: string, schema: S, load: () => Promise<v.InferOutput<S>>) =>
    newestAnswer({ owner, offline, key, schema, load })
  // The list stores its answers under the same key, so it opens with these rows.
  const page = await ask(readKey('voucher.datatable', body), vouchers.datatable.answer, () =>
    call(vouchers.datatable, { body }),
  )
  if (!page) return undefined
  const { total, total_capped: totalCapped, rows } = page.data
  const found = { total, totalCapped, rows, asOf: page.asOf }
  if (total <= rows.length) return { ...found, cents: rows.reduce((sum, row) => sum + row.denomination_cents, 0) }
  const { report } = answer
  const preview =
    report && (await ask(readKey('report.preview', report), ReportPreview, () => call(reportPreview, { body: report })))
  return { ...found, cents: preview?.data.total.cents }
}

interface Read<S extends v.GenericSchema> {
  owner: string
  offline: boolean
  key: string
  schema: S
  load: () => Promise<v.InferOutput<S>>
}

/** Returns the server's answer, or else the stored one with its time. */
async function newestAnswer<S extends v.GenericSchema>({ owner, offline, key, schema, load }: Read<S>) {
  const store = userStore(owner)
  const fresh = offline ? undefined : await fetchAndCache(store, key, load).catch(() => undefined)
  return fresh ? { data: fresh.data, asOf: undefined } : readCached(store, key, schema)
}
