/** Set by vite.config.ts at build time. */
declare const __BUILD_ID__: string
declare const __API_ORIGINS__: readonly string[]
/** Whether this build carries the outage drill (DRILL=on). */
declare const __DRILL__: boolean
