import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { linkPageHeaders } from '../../custody/pages/linkPage.ts'
import { pageWords } from '../../custody/pages/pageWords.ts'
import { parseShortTexts, registerFormRoutes } from '../../custody/pages/registerFormRoutes.ts'
import { assertAllowedOrigin } from '../../custody/requests/assertAllowedOrigin.ts'
import type { Authenticator } from '../../custody/requests/authenticator.ts'
import { requestSource } from '../../custody/requests/source/requestSource.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import type { Projects } from '../../kit/http/projects.ts'
import type { ApprovalLinks } from './approvalLinks.ts'
import { devicePage, type DevicePageState } from './devicePage.ts'

export type LinkEndpointsDependencies = {
  links: Pick<ApprovalLinks, 'send' | 'getState'>
  authenticator: Pick<Authenticator, 'authenticateKey'>
  projects: Projects
  trustedProxies: number
}

/** The path of the page of approval links. */
export const devicePath = '/shares/v1/device'

/** The endpoints that approve a device, or confirm the next contact of its wallet, by a mailed link. */
export function linkEndpoints(dependencies: LinkEndpointsDependencies): readonly Endpoint[] {
  const { links, authenticator, projects, trustedProxies } = dependencies
  const common = { method: 'POST', group: 'Share store' } as const
  return [
    defineEndpoint({
      ...common,
      path: '/shares/v1/links',
      summary:
        'Mails a link that approves this device, or confirms the next contact of its wallet. The page of the link asks for the two confirmation digits.',
      body: Type.Object({
        email: Type.String({ maxLength: 254 }),
        projectId: Type.String({ maxLength: 64 }),
        origin: Type.String({ maxLength: 256 }),
        purpose: Type.Optional(Type.Enum({ device: 'device', contact: 'contact' })),
      }),
      response: Type.Object({ id: Type.String(), match: Type.String() }),
      example: {
        body: { email: 'ann@example.org', projectId: 'ab'.repeat(16), origin: 'http://localhost' },
        status: 401,
      },
      async handle({ body: { email, projectId, origin, purpose }, raw }) {
        const key = await authenticator.authenticateKey(raw)
        const shownOrigin = assertAllowedOrigin(projects, projectId, origin)
        const source = requestSource(raw, trustedProxies)
        return links.send({ email, key, origin: shownOrigin, ...source, ...(purpose && { purpose }) })
      },
    }),
    defineEndpoint({
      ...common,
      path: '/shares/v1/links/state',
      summary: 'Returns the state of the approval of this device.',
      body: Type.Object({ id: Type.String({ maxLength: 36 }) }),
      response: Type.Object({ state: Type.Enum({ waiting: 'waiting', approved: 'approved', over: 'over' }) }),
      example: { body: { id: '0' }, status: 401 },
      handle: async ({ body, raw }) => ({
        state: await links.getState(body.id, await authenticator.authenticateKey(raw)),
      }),
    }),
  ]
}

/** Serves the page of approval links. */
export function serveDevicePage(app: FastifyInstance, links: Pick<ApprovalLinks, 'findRequest' | 'approve'>): void {
  app.get(devicePath, async ({ query, raw }, reply) => {
    const link = parseShortTexts(query, ['id', 'secret'])
    const request = await links.findRequest(link)
    const page = devicePage(await pageWords(raw), request === undefined ? 'over' : { request, ...link })
    return reply.headers(linkPageHeaders()).send(page)
  })
  registerFormRoutes(app, (forms) => {
    forms.post(devicePath, async ({ body, raw }, reply) => {
      const { id, secret, match } = parseShortTexts(body, ['id', 'secret', 'match'])
      const isApproved = await links.approve({ id, secret, match })
      const state = isApproved ? 'approved' : await stateAfterRefusal({ id, secret })
      return reply.headers(linkPageHeaders()).send(devicePage(await pageWords(raw), state))
    })
  })

  async function stateAfterRefusal(link: { id: string; secret: string }): Promise<DevicePageState> {
    const request = await links.findRequest(link)
    return request === undefined ? 'over' : { request, ...link, wrong: true }
  }
}
