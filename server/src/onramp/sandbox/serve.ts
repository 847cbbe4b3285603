import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../kit/problem.ts'
import type { Checkout, Complaint, PaymentForm } from './checkout.ts'
import { missingPage, pageOf, sandboxPath } from './page.ts'
import type { SandboxPurchase, SandboxStore } from './store.ts'
import { sandboxCss } from './style.ts'

export type ServeParts = {
  store: SandboxStore
  checkout: Checkout
  /** @throws Problem 429 for who asks too often */
  limit(request: FastifyRequest): void
}

const formBytes = 2_048

const headers = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
  'permissions-policy': 'payment=(), camera=(), microphone=(), geolocation=()',
} as const

/** Serves the purchase pages. They are for people: nobody needs a project, the secret is in the address. */
export function serveSandbox(app: FastifyInstance, { store, checkout, limit }: ServeParts): void {
  void app.register(async (pages) => {
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: formBytes },
      async (_request: FastifyRequest, body: string) => Object.fromEntries(new URLSearchParams(body)),
    )
    pages.addHook('onRequest', async (_request, reply) => void reply.headers(headers))
    pages.get(`${sandboxPath}/style.css`, async (_request, reply) =>
      reply.header('cache-control', 'public, max-age=300').type('text/css; charset=utf-8').send(sandboxCss),
    )
    pages.get(`${sandboxPath}/:page`, async (request, reply) => show(reply, await find(request)))
    pages.post(`${sandboxPath}/:page/pay`, async (request, reply) => {
      const purchase = await findOwn(request)
      const complaint = purchase && (await checkout.pay(purchase, readForm(request.body)))
      return complaint === undefined ? goBack(reply, purchase) : show(reply, purchase, complaint)
    })
    pages.post(`${sandboxPath}/:page/confirm`, async (request, reply) => {
      const purchase = await findOwn(request)
      if (purchase !== undefined) await checkout.confirm(purchase, textOf(request.body, 'code'))
      return goBack(reply, purchase)
    })
    pages.post(`${sandboxPath}/:page/cancel`, async (request, reply) => {
      const purchase = await findOwn(request)
      if (purchase !== undefined) await checkout.cancel(purchase)
      return goBack(reply, purchase)
    })
  })

  async function find(request: FastifyRequest): Promise<SandboxPurchase | undefined> {
    limit(request)
    const page = textOf(request.params, 'page')
    return /^[\w-]{22}$/.test(page) ? store.byPage(page) : undefined
  }

  /** A form that another site sends is not looked at. */
  function findOwn(request: FastifyRequest): Promise<SandboxPurchase | undefined> {
    const site = request.headers['sec-fetch-site']
    if (site !== undefined && site !== 'same-origin') throw new Problem(403, 'origin', 'Pay on the page itself.')
    return find(request)
  }
}

function show(reply: FastifyReply, purchase: SandboxPurchase | undefined, complaint?: Complaint): FastifyReply {
  reply.type('text/html; charset=utf-8')
  if (purchase === undefined) return reply.code(404).send(missingPage())
  return reply.code(complaint === undefined ? 200 : 422).send(pageOf(purchase, complaint))
}

/** Shows what has become of it, so that a reload sends nothing again. */
function goBack(reply: FastifyReply, purchase: SandboxPurchase | undefined): FastifyReply {
  return purchase === undefined ? show(reply, undefined) : reply.redirect(`${sandboxPath}/${purchase.page}`, 303)
}

function readForm(body: unknown): PaymentForm {
  return {
    method: textOf(body, 'method') === 'ach_bank_account' ? 'ach_bank_account' : 'card',
    number: textOf(body, 'number'),
    expiry: textOf(body, 'expiry'),
    cvc: textOf(body, 'cvc'),
  }
}

function textOf(value: unknown, key: string): string {
  const text = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
  return typeof text === 'string' ? text : ''
}
