import { expect, test } from 'vitest'
import { mountEndpoints, type RequestGuard } from '../../kit/http/defineEndpoint.ts'
import { createHttp } from '../../kit/http/createHttp.ts'
import { createProjects, type ProjectsConfig } from '../../kit/http/projects.ts'
import { createAppConfigEndpoints } from './appConfigEndpoints.ts'

const id = 'ab'.repeat(16)
const allowedOrigins = ['https://app.example', '*.other.example']

async function request(path: string, projects: ProjectsConfig = 'any'): Promise<{ status: number; body: unknown }> {
  const app = await createHttp({ logLevel: 'silent', projects: createProjects(projects) })
  const admit: RequestGuard = (_request, { isPublic } = {}) => {
    if (isPublic !== true) throw new Error('This endpoint needs no project.')
  }
  mountEndpoints(app, createAppConfigEndpoints({ projects: createProjects(projects) }), admit)
  const response = await app.inject(path)
  return { status: response.statusCode, body: response.json() }
}

test('config lists the features of this server and turns all others off', async () => {
  const { body } = await request('/appkit/v1/config')
  const { features } = body as { features: readonly { id: string; isEnabled: boolean }[] }
  expect(features.filter(({ isEnabled }) => isEnabled).map((each) => each.id)).toEqual([
    'multi_wallet',
    'activity',
    'headless',
  ])
  expect(features).toContainEqual({ id: 'onramp', isEnabled: false, config: [] })
})

test('project limits never report an exceeded plan', async () => {
  const planLimits = { tier: 'none', isAboveRpcLimit: false, isAboveMauLimit: false }
  expect(await request('/appkit/v1/project-limits')).toEqual({ status: 200, body: { planLimits } })
})

test('origins lists the allowed origins of a project', async () => {
  const projects = [{ id, allowedOrigins }]
  const response = await request(`/projects/v1/origins?projectId=${id.toUpperCase()}`, projects)
  expect(response).toEqual({ status: 200, body: { allowedOrigins } })
  expect(await request('/projects/v1/origins')).toEqual({ status: 200, body: { allowedOrigins: [] } })
  const missing = await request('/projects/v1/origins', projects)
  expect(missing).toMatchObject({ status: 400, body: { reasons: [{ field: 'projectId' }] } })
  expect((await request('/projects/v1/origins?projectId=nobody', projects)).status).toBe(401)
})
