import { forgetDrills } from '../../offline/drill/drillRuns.ts'
import { confirm } from '../../state/dialogs.ts'
import { Button } from '../../ui/Button.tsx'

export function ForgetRunsButton() {
  const ask = async () => {
    const sure = await confirm({
      title: 'Forget all runs?',
      consequence: 'Their records go, and an outage that is on ends. Save the reports you need first.',
      act: 'Forget all runs',
      wayOut: 'Keep them',
      destructive: true,
    })
    if (sure) await forgetDrills()
  }
  return <Button onClick={() => void ask()}>Forget all runs</Button>
}
