import { Type } from '@sinclair/typebox'
import { endpoint, type Endpoint } from '../../kit/endpoint.ts'
import { Problem } from '../../kit/problem.ts'
import type { ProjectsConfig } from '../../kit/projects.ts'
import { commonQuery } from '../questions.ts'

const feature = Type.Object({
  id: Type.String(),
  isEnabled: Type.Boolean(),
  config: Type.Union([Type.Array(Type.String()), Type.Null()]),
})

/** What this server does for an app. */
const present = ['multi_wallet', 'activity', 'headless'] as const
/** What else clients know of, and may not believe to be there. */
const absent = ['reown_branding', 'email_capture', 'fund_from_exchange', 'payments', 'reown_authentication'] as const
/** Those that name providers: there are none. */
const provided = ['onramp', 'swap', 'social_login'] as const

/** What clients ask of a project before they open: features, limits and origins. */
export function appConfig({ projects }: { projects: ProjectsConfig }): readonly Endpoint[] {
  return [remoteFeatures(), projectLimits(), allowedOrigins(projects)]
}

/** `GET /appkit/v1/config`: which features there are. */
function remoteFeatures(): Endpoint {
  const told = [
    ...present.map((id) => ({ id, isEnabled: true, config: null })),
    ...absent.map((id) => ({ id, isEnabled: false, config: null })),
    ...provided.map((id) => ({ id, isEnabled: false, config: [] })),
  ]
  return endpoint({
    method: 'GET',
    path: '/appkit/v1/config',
    group: 'Configuration',
    summary: 'Which features this server has.',
    query: Type.Object(commonQuery),
    answer: Type.Object({ features: Type.Array(feature) }),
    cache: 'public, max-age=300',
    open: true,
    example: {},
    handle: () => ({ features: told }),
  })
}

/** `GET /appkit/v1/project-limits`: there are no plans, so nobody is above one. */
function projectLimits(): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/appkit/v1/project-limits',
    group: 'Configuration',
    summary: 'Says that there are no plans, and nothing to be above of.',
    query: Type.Object(commonQuery),
    answer: Type.Object({
      planLimits: Type.Object({
        tier: Type.Literal('none'),
        isAboveRpcLimit: Type.Boolean(),
        isAboveMauLimit: Type.Boolean(),
      }),
    }),
    cache: 'public, max-age=300',
    open: true,
    example: {},
    handle: () => ({ planLimits: { tier: 'none', isAboveRpcLimit: false, isAboveMauLimit: false } as const }),
  })
}

/** `GET /projects/v1/origins`: where a project's pages may be; an empty list means anywhere. */
function allowedOrigins(projects: ProjectsConfig): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/projects/v1/origins',
    group: 'Configuration',
    summary: 'Where the pages of a project may be; an empty list means anywhere.',
    query: Type.Object(commonQuery),
    answer: Type.Object({ allowedOrigins: Type.Array(Type.String()) }),
    open: true,
    example: {},
    handle({ query: { projectId = '' } }) {
      // Only pages of the machine itself can read this answer then, and they may be anywhere on it.
      if (projects === 'any') return { allowedOrigins: [] }
      if (projectId === '') throw new Problem(400, 'projectId', 'The query parameter projectId is missing.')
      const project = projects.find(({ id }) => id === projectId.toLowerCase())
      if (project === undefined) throw new Problem(401, 'authentication', 'This project is not known here.')
      return { allowedOrigins: [...project.allowedOrigins] }
    },
  })
}
