import { describe, expect, it, vi } from 'vitest'
import { VIEW_LISTS, type ViewList } from '../src/contract/views.ts'

// The lists name the cells of their rows, and those the state of the tab.
vi.stubGlobal('addEventListener', () => undefined)
const { POS_LIST } = await import('../src/blocks/pos-users/posUserList.tsx')
const { activityList } = await import('../src/features/activity/activityList.tsx')
const { BRANCH_LISTS } = await import('../src/features/branches/branchList.tsx')
const { deviceList } = await import('../src/features/devices/deviceList.tsx')
const { LOSS_LIST } = await import('../src/features/reports/lossList.tsx')
const { MASTER_LIST } = await import('../src/features/masters/masterList.tsx')
const { resourceList } = await import('../src/features/resources/resourceList.tsx')
const { voucherList } = await import('../src/features/vouchers/voucherList.tsx')

const columnsOf = new Map(
  [
    voucherList({} as never),
    MASTER_LIST,
    ...Object.values(BRANCH_LISTS),
    POS_LIST,
    deviceList(new Date(), () => undefined),
    LOSS_LIST,
    resourceList({} as never, () => undefined),
    activityList(() => undefined),
  ].map(({ name, columns }) => [name, columns.slice(1).map(({ key }) => key)]),
)

describe('views', () => {
  it.each(Object.keys(VIEW_LISTS) as ViewList[])('of %s may switch off the columns that the list has', (name) => {
    expect([...VIEW_LISTS[name].columns].toSorted()).toEqual(columnsOf.get(name)?.toSorted())
  })
})
