/** The caller passes in the time: tests try a wrong clock, and a simulated world has its own (docs/SIMULATION.md). */
const dateNeedsTime = {
  create: (context) => ({
    NewExpression: (node) => {
      if (node.callee.name !== 'Date' || node.arguments.length > 0) return
      context.report({ node, message: 'A new Date takes a time here, from the clock that is given.' })
    },
  }),
}

export default { meta: { name: 'given-time' }, rules: { 'date-needs-time': dateNeedsTime } }
