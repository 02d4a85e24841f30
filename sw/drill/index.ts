import '../index.ts'
import { putCallsUnderDrill } from './putCallsUnderDrill.ts'

/*
 * The worker of a build with the outage drill (DRILL=on): the very worker, with its calls to the server put under the drill.
 * It comes last, for the first route that matches wins.
 */
putCallsUnderDrill()
