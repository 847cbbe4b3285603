import { expect, test } from 'vitest'
import { mountEndpoints } from '../../kit/endpoint.ts'
import { createHttp } from '../../kit/http.ts'
import { createProjects, type ProjectsConfig } from '../../kit/projects.ts'
import { appConfig } from './route.ts'

const id = 'ab'.repeat(16)
const allowedOrigins = ['https://app.example', '*.other.example']

async function ask(path: string, projects: ProjectsConfig = 'any'): Promise<{ status: number; body: unknown }> {
  const app = await createHttp({ logLevel: 'silent', projects: createProjects(projects) })
  const refuse = (): never => {
    throw new Error('This endpoint is open.')
  }
  mountEndpoints(app, appConfig({ projects }), refuse)
  const answer = await app.inject(path)
  return { status: answer.statusCode, body: answer.json() }
}

test('tells the features that this server has, and that all others are off', async () => {
  const { body } = await ask('/appkit/v1/config')
  const { features } = body as { features: readonly { id: string; isEnabled: boolean }[] }
  expect(features.filter(({ isEnabled }) => isEnabled).map((each) => each.id)).toEqual([
    'multi_wallet',
    'activity',
    'headless',
  ])
  expect(features).toContainEqual({ id: 'onramp', isEnabled: false, config: [] })
})

test('knows no plan that anybody could be above of', async () => {
  const planLimits = { tier: 'none', isAboveRpcLimit: false, isAboveMauLimit: false }
  expect(await ask('/appkit/v1/project-limits')).toEqual({ status: 200, body: { planLimits } })
})

test('tells where the pages of a project may be', async () => {
  const projects = [{ id, allowedOrigins }]
  const asked = await ask(`/projects/v1/origins?projectId=${id.toUpperCase()}`, projects)
  expect(asked).toEqual({ status: 200, body: { allowedOrigins } })
  expect(await ask('/projects/v1/origins')).toEqual({ status: 200, body: { allowedOrigins: [] } })
  const missing = await ask('/projects/v1/origins', projects)
  expect(missing).toMatchObject({ status: 400, body: { reasons: [{ field: 'projectId' }] } })
  expect((await ask('/projects/v1/origins?projectId=nobody', projects)).status).toBe(401)
})
