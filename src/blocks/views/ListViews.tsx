import { useState } from 'react'
import { LATEST_REDEMPTIONS, type TableState } from '../../domain/tableState.ts'
import { openedState, savedState, showsSame, type ViewState } from '../../domain/viewState.ts'
import { confirm } from '../../state/dialogs.ts'
import { showToast } from '../../state/toasts.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { FieldBox } from '../../ui/form/CheckboxField.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Menu } from '../../ui/overlay/Menu.tsx'
import { useUser } from '../accounts/useUser.ts'
import { lazyDialog } from '../lazy/lazyDialog.tsx'
import { LATEST, LIST_VIEWS, openView, serverDate, type BuiltInView, type ViewList } from './builtInViews.ts'
import { deleteView, readViews, saveView, type SavedView } from './savedViews.ts'

const SaveViewDialog = lazyDialog(
  async () => (await import('./SaveViewDialog.tsx')).SaveViewDialog,
  ({ onClose }) => onClose,
)

interface Props {
  list: ViewList
  state: TableState
  onState: (next: Partial<TableState>, replace?: boolean) => void
  hiddenOnPhone: boolean
}

/**
 * The views of a list, beside its search: which one is open, the others, save and delete. The URL is the only state: a view is
 * open when the table shows what it says.
 */
export function ListViews({ list, state, onState, hiddenOnPhone }: Props) {
  const { guid } = useUser()
  const [views, setViews] = useState(() => readViews(guid))
  const [isSaving, setSaving] = useState(false)
  const { whole, builtIn } = LIST_VIEWS[list]
  const mine = views.filter((view) => view.list === list)
  const isOpen = (view: BuiltInView) => showsSame(openedState(view.state, serverDate()), state)
  // The latest redemptions stay open while a person searches and filters, as long as the order is theirs.
  const isLatest = state.view === LATEST_REDEMPTIONS.view && state.sort === LATEST.state.sort && state.dir === 'desc'
  const open = mine.find(isOpen) ?? builtIn.find(isOpen) ?? (isLatest ? LATEST : undefined)
  const name = open?.name ?? 'All'

  const show = (view: ViewState) => onState(openView(list, view))
  const choice = (group: string, view: BuiltInView | undefined, onSelect: () => void) => {
    const label = view?.name ?? 'All'
    return { key: `${group}/${label}`, label, group, chosen: view === open, onSelect }
  }
  const save = (called: string) => {
    const next = saveView(guid, { list, name: called, state: savedState(state, serverDate()) })
    if (!next) return void showToast({ tone: 'danger', text: `${called} was not saved: this browser stores nothing.` })
    setViews(next)
    showToast({ tone: 'success', text: `${called} saved` })
  }
  const remove = async (view: SavedView) => {
    if (!(await confirm(deleteQuestion(view.name)))) return
    setViews(deleteView(guid, view))
    showToast({ tone: 'success', text: `${view.name} deleted` })
  }
  const own = mine.find((view) => view === open)
  return (
    <>
      <FieldBox className={`max-w-[13rem] ${hiddenOnPhone ? 'phone:hidden' : 'phone:max-w-none phone:basis-full'}`}>
        <span className="font-label" aria-hidden="true">
          View
        </span>
        <Menu
          label={`View: ${name}`}
          triggerClass={`${buttonClass({ spread: true })} max-w-[16rem] min-w-[9rem] phone:max-w-none`}
          trigger={
            <>
              <span className="truncate">{name}</span>
              <Icon drawing={ICONS.down} small />
            </>
          }
          items={() => [
            choice('Views', undefined, () => show(whole)),
            ...builtIn.map((view) => choice('Views', view, () => show(view.state))),
            ...mine.map((view) => choice('My views', view, () => show(view.state))),
            { label: 'Save view…', group: 'Change', onSelect: () => setSaving(true) },
            ...(own ? [{ label: `Delete “${own.name}”…`, group: 'Change', onSelect: () => void remove(own) }] : []),
          ]}
        />
      </FieldBox>
      {isSaving && <SaveViewDialog onSave={save} onClose={() => setSaving(false)} />}
    </>
  )
}

const deleteQuestion = (name: string) => ({
  title: `Delete ${name}?`,
  consequence: 'The list itself stays as it is.',
  act: 'Delete view',
  wayOut: 'Keep view',
  destructive: true,
})
