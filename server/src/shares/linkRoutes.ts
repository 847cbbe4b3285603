import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { browserOf } from '../auth/browserOf.ts'
import { linkPageHeaders, readTexts, servePosts } from '../auth/linkPage.ts'
import type { Who } from '../auth/who.ts'
import { clientAddress } from '../kit/clientAddress.ts'
import { endpoint, type Endpoint } from '../kit/endpoint.ts'
import type { Projects } from '../kit/projects.ts'
import { Problem } from '../kit/problem.ts'
import { devicePage } from './devicePage.ts'
import type { Links } from './links.ts'

export type LinkParts = { links: Links; who: Who; projects: Projects; trustedProxies: number }

/** Where the page behind a link is. */
export const devicePath = '/shares/v1/device'

/** The endpoints by which a frame has its device approved. */
export function linkEndpoints({ links, who, projects, trustedProxies }: LinkParts): readonly Endpoint[] {
  const common = { method: 'POST', group: 'Share store' } as const
  return [
    endpoint({
      ...common,
      path: '/shares/v1/links',
      summary: 'Sends a link by mail that approves this device; its page asks for the two digits.',
      body: Type.Object({
        email: Type.String({ maxLength: 254 }),
        projectId: Type.String({ maxLength: 64 }),
        origin: Type.String({ maxLength: 256 }),
      }),
      answer: Type.Object({ id: Type.String(), match: Type.String() }),
      example: {
        body: { email: 'ann@example.org', projectId: 'ab'.repeat(16), origin: 'http://localhost' },
        status: 401,
      },
      async handle({ body: { email, projectId, origin }, raw }) {
        const key = await who.key(raw)
        if (projects.check(projectId, origin) !== 'ok') {
          throw new Problem(403, 'origin', 'This origin is not allowed for the project.')
        }
        const client = clientAddress(raw, trustedProxies)
        return links.send({ email, key, client, origin, browser: browserOf(raw.headers['user-agent']) })
      },
    }),
    endpoint({
      ...common,
      path: '/shares/v1/links/state',
      summary: 'How far the approval of this device is.',
      body: Type.Object({ id: Type.String({ maxLength: 36 }) }),
      answer: Type.Object({ state: Type.Enum({ waiting: 'waiting', approved: 'approved', over: 'over' }) }),
      example: { body: { id: '0' }, status: 401 },
      handle: async ({ body, raw }) => ({ state: await links.state(body.id, await who.key(raw)) }),
    }),
  ]
}

/** Serves the page behind the links, to people. */
export function serveDevicePage(app: FastifyInstance, links: Links): void {
  app.get(devicePath, async ({ query }, reply) => {
    const { id, secret } = readTexts(query, ['id', 'secret'])
    const facts = await links.look({ id, secret })
    return reply.headers(linkPageHeaders).send(devicePage(facts === undefined ? 'over' : { facts, id, secret }))
  })
  servePosts(app, (forms) => {
    forms.post(devicePath, async ({ body }, reply) => {
      const { id, secret, match } = readTexts(body, ['id', 'secret', 'match'])
      const state = (await links.approve({ id, secret, match })) ? 'approved' : await again({ id, secret })
      return reply.headers(linkPageHeaders).send(devicePage(state))
    })
  })

  async function again(link: { id: string; secret: string }): Promise<Parameters<typeof devicePage>[0]> {
    const facts = await links.look(link)
    return facts === undefined ? 'over' : { facts, ...link, wrong: true }
  }
}
