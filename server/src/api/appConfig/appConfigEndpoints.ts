import { Type } from '@sinclair/typebox'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { Projects } from '../../kit/http/projects.ts'
import { commonQuery } from '../http/commonQuery.ts'

const feature = Type.Object({
  id: Type.String(),
  isEnabled: Type.Boolean(),
  config: Type.Union([Type.Array(Type.String()), Type.Null()]),
})

/** The features that this server has. */
const present = ['multi_wallet', 'activity', 'headless'] as const
/** Features that clients would otherwise assume. */
const absent = ['reown_branding', 'email_capture', 'fund_from_exchange', 'payments', 'reown_authentication'] as const
/** Features with lists of providers, which are empty. */
const provided = ['onramp', 'swap', 'social_login'] as const

/** Creates the endpoints that clients request before they open: features, limits and origins. */
export function createAppConfigEndpoints({
  projects,
}: {
  projects: Pick<Projects, 'listOrigins'>
}): readonly Endpoint[] {
  return [createFeaturesEndpoint(), createProjectLimitsEndpoint(), createAllowedOriginsEndpoint(projects)]
}

/** `GET /appkit/v1/config`: the features of this server. */
function createFeaturesEndpoint(): Endpoint {
  const messages = [
    ...present.map((id) => ({ id, isEnabled: true, config: null })),
    ...absent.map((id) => ({ id, isEnabled: false, config: null })),
    ...provided.map((id) => ({ id, isEnabled: false, config: [] })),
  ]
  return defineEndpoint({
    method: 'GET',
    path: '/appkit/v1/config',
    group: 'Configuration',
    summary: 'The features of this server.',
    query: Type.Object(commonQuery),
    response: Type.Object({ features: Type.Array(feature) }),
    cache: 'public, max-age=300',
    isPublic: true,
    example: {},
    handle: () => ({ features: messages }),
  })
}

/** `GET /appkit/v1/project-limits`: reports no limits, because there are no plans. */
function createProjectLimitsEndpoint(): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/appkit/v1/project-limits',
    group: 'Configuration',
    summary: 'Reports no limits, because there are no plans.',
    query: Type.Object(commonQuery),
    response: Type.Object({
      planLimits: Type.Object({
        tier: Type.Literal('none'),
        isAboveRpcLimit: Type.Boolean(),
        isAboveMauLimit: Type.Boolean(),
      }),
    }),
    cache: 'public, max-age=300',
    isPublic: true,
    example: {},
    handle: () => ({ planLimits: { tier: 'none', isAboveRpcLimit: false, isAboveMauLimit: false } as const }),
  })
}

/** `GET /projects/v1/origins`: the allowed origins of a project. An empty list allows all. */
function createAllowedOriginsEndpoint(projects: Pick<Projects, 'listOrigins'>): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/projects/v1/origins',
    group: 'Configuration',
    summary: 'The allowed origins of a project. An empty list allows all.',
    query: Type.Object(commonQuery),
    response: Type.Object({ allowedOrigins: Type.Array(Type.String()) }),
    isPublic: true,
    example: {},
    handle({ query: { projectId = '' } }) {
      const origins = projects.listOrigins(projectId.toLowerCase())
      // Only pages on this machine can read the response in this mode. All of its origins are allowed.
      if (origins === 'any') return { allowedOrigins: [] }
      if (projectId === '') throw new Problem(400, 'projectId', 'The query parameter projectId is missing.')
      if (origins === undefined) throw new Problem(401, 'authentication', 'This project is unknown.')
      return { allowedOrigins: [...origins] }
    },
  })
}
