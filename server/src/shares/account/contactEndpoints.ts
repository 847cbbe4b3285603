import { randomBytes } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import type { AuditLog } from '../../custody/auditLog.ts'
import { sendRequiredMail, type Mailer } from '../../custody/mail/mailer.ts'
import { serveLinkedAction } from '../../custody/pages/linkedAction.ts'
import { describeRequest, type DescribeRequestDependencies } from '../../custody/requests/source/describeRequest.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { ServerWords } from '../../messages/loadServerWords.ts'
import { contactChangeMail } from '../../messages/mails.ts'
import type { ApprovalLinks } from '../approval/approvalLinks.ts'
import type { Contacts } from '../approval/contacts.ts'
import type { ShareAccess } from '../approval/shareAccess.ts'
import { formatActionLink } from '../../custody/pages/actionLink.ts'

export type ContactEndpointsDependencies = DescribeRequestDependencies & {
  access: ShareAccess
  contacts: Pick<Contacts, 'canChange' | 'change' | 'cancel'>
  links: Pick<ApprovalLinks, 'hashMailbox' | 'findApproval'>
  mailer: Mailer
  auditLog: Pick<AuditLog, 'record'>
  /** The address of the page that stops a change. */
  stopPage(): string
}

const email = Type.String({ maxLength: 254 })
const refused = { status: 401 }
const common = { method: 'POST', group: 'Share store' } as const

/** The path of the page that stops a change of the contact. */
export const contactStopPath = '/shares/v1/contact/stopped'

/**
 * The endpoints that change the address that approves new devices. The share store keeps no addresses: the device names the
 * present one, which is checked against its hash, and gets a mail with a link that stops the change [C-04]. The next one must
 * have confirmed the change by a link of its own. Otherwise a lying auth service could give a wallet that it knows to someone
 * who has not logged in yet [K-11].
 */
export function contactEndpoints(dependencies: ContactEndpointsDependencies): readonly Endpoint[] {
  const { access, contacts, links } = dependencies
  return [
    defineEndpoint({
      ...common,
      path: '/shares/v1/contact/movable',
      summary: 'Tells whether an address approves this user’s devices and can be replaced now.',
      body: Type.Object({ current: email }),
      response: Type.Object({ isMovable: Type.Boolean() }),
      example: { body: { current: 'ann@example.org' }, ...refused },
      async handle({ body, raw }) {
        const { user, assertEstablishedDevice } = await access.admit(raw)
        await assertEstablishedDevice()
        return { isMovable: await contacts.canChange(user, links.hashMailbox(body.current)) }
      },
    }),
    changeEndpoint(dependencies),
  ]
}

function changeEndpoint(dependencies: ContactEndpointsDependencies): Endpoint {
  const { access, contacts, links, mailer, auditLog, stopPage } = dependencies
  return defineEndpoint({
    ...common,
    path: '/shares/v1/contact',
    summary:
      'Names the address that approves new devices, after it has confirmed that by a link. It is accepted after a day. The present one can stop the change.',
    body: Type.Object({ email, current: email }),
    response: Type.Object({ at: Type.Integer() }),
    example: { body: { email: 'ann@example.net', current: 'ann@example.org' }, ...refused },
    async handle({ body, raw }) {
      const { user, key, assertEstablishedDevice } = await access.admit(raw)
      await assertEstablishedDevice()
      const [from, to] = [links.hashMailbox(body.current), links.hashMailbox(body.email)]
      const confirmed = await links.findApproval(key, 'contact')
      if (confirmed === undefined || !confirmed.equals(to)) {
        throw new Problem(403, 'confirmation', 'Open the link that was sent to the new address first.')
      }
      const secret = randomBytes(32).toString('base64url')
      const at = await contacts.change(user, { from, to, secret })
      const { words, facts } = await describeRequest(raw, dependencies)
      const link = formatActionLink(stopPage(), { id: user, secret }, facts)
      const mail = contactChangeMail(words, { email: body.email, at, link }, facts)
      // Without a notice to the owner, nothing changes.
      await sendRequiredMail(mailer, { to: body.current, ...mail }).catch(async (error: unknown) => {
        await contacts.cancel(user)
        throw error
      })
      await auditLog.record('contact changed', { user, key, raw, about: 'requested' })
      return { at }
    },
  })
}

/** Serves the page that stops a change of the contact. */
export function serveContactStopPage(
  app: FastifyInstance,
  { canStop, stop }: Pick<Contacts, 'canStop' | 'stop'>,
): void {
  const texts = ({ stopPage }: ServerWords) => stopPage
  serveLinkedAction(app, { path: contactStopPath, texts, isValid: canStop, perform: stop })
}
