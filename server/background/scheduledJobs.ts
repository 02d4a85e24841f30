import { databaseCode } from '../db/engine/databaseError.ts'
import type { Deps } from '../Deps.ts'
import { sweepUploads } from '../services/uploads/sweepUploads.ts'

const SWEEP_UPLOADS_EVERY_MS = 10 * 60_000

export interface UploadSweeper {
  /** When the round under way is done; no other is begun. */
  stop(): Promise<void>
}

/** Sweeps now and every ten minutes, whatever fails meanwhile. */
export function startUploadSweeper(deps: Pick<Deps, 'database' | 'store' | 'clock' | 'log'>): UploadSweeper {
  let round = sweep()
  async function sweep(): Promise<void> {
    try {
      const swept = await sweepUploads(deps)
      if (swept > 0) deps.log.info('uploads_swept', { count: swept })
    } catch (error) {
      deps.log.warn('upload_sweep_failed', { code: databaseCode(error) })
    }
  }
  const timer = setInterval(() => {
    round = round.then(sweep)
  }, SWEEP_UPLOADS_EVERY_MS)
  return {
    stop() {
      clearInterval(timer)
      return round
    },
  }
}
