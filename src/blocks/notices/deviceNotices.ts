import type { OutboxRow } from '../../offline/store/userRows.ts'
import type { ShownNotice } from './ShownNotice.ts'

const DOWNLOADS = { way: { to: '/downloads' }, label: 'Open downloads' } as const

/** What became of the downloads of this device; one that is tried again is news again. */
export function downloadNotice({ id, title, state, settledAt, trouble }: OutboxRow): ShownNotice[] {
  if (settledAt === undefined) return []
  const facts = { key: `${state}:${id}:${settledAt}`, at: settledAt, link: DOWNLOADS }
  if (state === 'ready') return [{ ...facts, icon: 'download', title: 'Report ready', text: title }]
  if (state !== 'failed') return []
  return [{ ...facts, icon: 'alert', title: 'Report failed', text: trouble ? `${title}. ${trouble}` : title }]
}

/** Said once the new build runs here. */
export function updateNotice(known: { build: string; updatedAt?: number | undefined } | undefined): ShownNotice[] {
  if (known?.updatedAt === undefined) return []
  return [
    {
      key: `update:${known.build}`,
      at: known.updatedAt,
      icon: 'refresh',
      title: 'Update installed',
      text: 'This device runs the newest version of the portal.',
      link: { way: { to: '/settings/device' }, label: 'Open this device' },
    },
  ]
}
