import type { Cluster } from '../cluster/startCluster.ts'
import { NODE_FAULTS } from './nodeFaults.ts'
import { SURROUNDING_FAULTS } from './surroundingFaults.ts'

/** Makes a fault and ends it. Returns the time from which its duration is measured, by `performance.now()`. */
export type Fault = (cluster: Breakable) => Promise<number>

export interface ClusterWithClock extends Cluster {
  /** The file that sets the clock of the second server. */
  clock: string
}

interface Breakable extends ClusterWithClock {
  /** Waits until the tills have some more receipts. */
  redeemAsUsual(): Promise<void>
}

export const FAULTS = { ...NODE_FAULTS, ...SURROUNDING_FAULTS }

export type FaultName = keyof typeof FAULTS
