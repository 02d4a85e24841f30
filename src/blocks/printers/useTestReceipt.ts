import { useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { formatInstant } from '../../domain/singaporeTime.ts'
import { TEST_CODE } from '../../domain/vouchers.ts'
import { tillDevice } from '../../state/counter.ts'
import { useUser } from '../accounts/useUser.ts'
import { receiptHead, type PrintedReceipt } from '../vouchers/receipt.ts'

/** What a printer is tried with. It can be kept beside the till, to try the hand scanner with. */
export function useTestReceipt(): PrintedReceipt {
  const { branch_guid, branch_name, organisation_name, login_name } = useUser()
  const till = useSnapshot(tillDevice).names[branch_guid ?? '']
  const [now] = useState(() => new Date())
  return {
    from: receiptHead(organisation_name, branch_name),
    title: 'Test page',
    lines: [...(till ? [['Till', till] as const] : []), ['By', login_name], ['Time', formatInstant(now)]],
    code: TEST_CODE,
    note: 'This is no voucher. Scan it to try the hand scanner.',
  }
}
