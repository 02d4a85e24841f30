import { Link } from '@tanstack/react-router'
import { useUser } from '../../blocks/accounts/useUser.ts'
import type { Dashboard } from '../../contract/dashboard.ts'
import { readOutbox } from '../../offline/outbox/outbox.ts'
import { useLiveQuery } from '../../offline/storage/useLiveQuery.ts'
import { userStore } from '../../offline/storage/userStore.ts'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Item, Panel } from '../../ui/Panel.tsx'
import { holdItems, invitationItems, standingItems, type AttentionItem } from './attentionItems.tsx'

/** What needs attention, the most urgent first, each with a link or button to settle it. */
export function AttentionPanel({ figures, onChanged }: { figures: Dashboard; onChanged: () => void }) {
  const { attention, as_of } = figures
  const { type } = useUser()
  // The time of the figures: in stored figures "ends in 2 hours" must not count down by itself.
  const now = Date.parse(as_of)
  const items = [
    ...failedDownloads(useFailedDownloads()),
    ...holdItems(attention.holds, now),
    ...invitationItems(attention.invitations, now, onChanged),
    ...standingItems(attention, type === 'Branch Merchant'),
  ]
  return (
    <Panel title="Needs attention" action={<span className="text-muted">{items.length}</span>}>
      {items.length === 0 ? (
        <p className="p-4 text-muted">Nothing needs you now.</p>
      ) : (
        <ul>
          {items.map(({ key, icon, title, text, action }) => (
            <Item key={key} mark={<Icon drawing={icon} />} action={action}>
              <b className="font-strong">{title}</b>
              <p className="text-muted">{text}</p>
            </Item>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function failedDownloads(titles: readonly string[]): AttentionItem[] {
  const [newest, ...older] = titles
  if (newest === undefined) return []
  const text = older.length === 0 ? newest : `${newest}, and ${older.length} more`
  const title = older.length === 0 ? 'Download failed' : 'Downloads failed'
  return [{ key: 'downloads', icon: ICONS.alert, title, text, action: <Link to="/downloads">View</Link> }]
}

/** Titles of this device's downloads that failed for good, newest first. */
function useFailedDownloads(): string[] {
  const { guid } = useUser()
  const failed = async () =>
    (await readOutbox(userStore(guid))).filter(({ state }) => state === 'failed').map(({ title }) => title)
  return useLiveQuery(failed, `failed-downloads/${guid}`) ?? []
}
