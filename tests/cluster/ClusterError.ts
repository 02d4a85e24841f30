/** The reason why the cluster is not running. The message is a sentence for the person who started it. */
export class ClusterError extends Error {
  override name = 'ClusterError' as const
  readonly code: 'PROGRAM_MISSING' | 'ENDED' | 'TIMED_OUT' | 'STOPPED'

  constructor(code: ClusterError['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Runs a command. On a ClusterError it prints the reason and exits with 1. */
export async function exitWithReason(main: () => Promise<void>): Promise<void> {
  try {
    await main()
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
