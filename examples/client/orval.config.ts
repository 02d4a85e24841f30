const { PORTAL } = process.env

const base = (name: string) => ({
  input: `${PORTAL}/${name}/openapi.json`,
  output: { target: `generated/orval/${name}.ts`, client: 'fetch' as const, baseUrl: `${PORTAL}/${name}` },
})

export default { api: base('api'), reporting: base('reporting') }
