import { PosUsers } from '../../blocks/pos-users/PosUsers.tsx'
import type { PosTable } from '../../blocks/pos-users/posUserList.tsx'
import { RecordRead } from '../../blocks/record/RecordRead.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import type { Branch } from '../../contract/branches.ts'
import { TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { BranchDetails } from './BranchDetails.tsx'
import { BranchHeader } from './BranchHeader.tsx'
import type { BranchTab } from './branchTabs.ts'
import { useBranch } from './useBranch.ts'

interface Props {
  id: string
  tab: BranchTab
  onTab: (tab: BranchTab) => void
  /** The state of the table of POS users. */
  pos: PosTable
}

/** One branch: what it is, who works there, and what can be done with it. */
export function BranchPage({ id, ...tabs }: Props) {
  const read = useBranch(id)
  usePageTitle(read.data?.name ?? 'Branch')
  return (
    <>
      <BranchHeader branch={read.data} onChanged={read.retry} />
      <RecordRead read={read} what="This branch">
        {(branch) => <BranchTabs branch={branch} onChanged={read.retry} {...tabs} />}
      </RecordRead>
    </>
  )
}

type BranchTabsProps = Omit<Props, 'id'> & { branch: Branch; onChanged: () => void }

function BranchTabs({ branch, onChanged, tab, onTab, pos }: BranchTabsProps) {
  return (
    <>
      <Tabs
        id="branch"
        label="This branch"
        tabs={[
          { key: 'details', label: 'Details' },
          { key: 'pos', label: 'POS users', count: branch.pos_users },
        ]}
        selected={tab}
        onSelect={onTab}
      />
      <TabPanel id="branch" selected={tab}>
        {tab === 'details' ? (
          <BranchDetails branch={branch} onChanged={onChanged} />
        ) : (
          <PosUsers branch={branch} {...pos} onCount={onChanged} />
        )}
      </TabPanel>
    </>
  )
}
