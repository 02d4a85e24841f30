/** The caller passes in the time: tests try a wrong clock, and a simulated world has its own (docs/SIMULATION.md). */
const dateNeedsTime = {
  create: (context) => ({
    NewExpression: (node) => {
      if (node.callee.name !== 'Date' || node.arguments.length > 0) return
      context.report({ node, message: 'Give new Date() a time here, from the clock that the caller passes in.' })
    },
  }),
}

export default { meta: { name: 'given-time' }, rules: { 'date-needs-time': dateNeedsTime } }
