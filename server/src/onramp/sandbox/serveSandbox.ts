import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../kit/http/problem.ts'
import type { Checkout, FormError, PaymentForm } from './checkout.ts'
import { renderMissingPage, renderSandboxPage, sandboxPath } from './sandboxPage.ts'
import type { SandboxPurchase, SandboxStore } from './sandboxStore.ts'
import { sandboxCss } from './sandboxCss.ts'

export type SandboxServerDependencies = {
  store: SandboxStore
  checkout: Checkout
  /** @throws Problem 429 above the rate limit */
  limit(request: FastifyRequest): Promise<void>
}

const formBytes = 2_048

const headers = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
  'permissions-policy': 'payment=(), camera=(), microphone=(), geolocation=()',
} as const

/** Serves the purchase pages. They need no project id; their URLs contain a secret. */
export function serveSandbox(app: FastifyInstance, { store, checkout, limit }: SandboxServerDependencies): void {
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
    pages.get(`${sandboxPath}/:page`, async (request, reply) => sendPurchasePage(reply, await find(request)))
    pages.post(`${sandboxPath}/:page/pay`, async (request, reply) => {
      const purchase = await findOwn(request)
      const error = purchase && (await checkout.pay(purchase, parsePaymentForm(request.body)))
      return error === undefined ? redirectToPage(reply, purchase) : sendPurchasePage(reply, purchase, error)
    })
    pages.post(`${sandboxPath}/:page/confirm`, async (request, reply) => {
      const purchase = await findOwn(request)
      if (purchase !== undefined) await checkout.confirm(purchase, getFormText(request.body, 'code'))
      return redirectToPage(reply, purchase)
    })
    pages.post(`${sandboxPath}/:page/cancel`, async (request, reply) => {
      const purchase = await findOwn(request)
      if (purchase !== undefined) await checkout.cancel(purchase)
      return redirectToPage(reply, purchase)
    })
  })

  async function find(request: FastifyRequest): Promise<SandboxPurchase | undefined> {
    await limit(request)
    const page = getFormText(request.params, 'page')
    return /^[\w-]{22}$/.test(page) ? store.byPage(page) : undefined
  }

  /** Rejects forms from other sites. */
  function findOwn(request: FastifyRequest): Promise<SandboxPurchase | undefined> {
    const site = request.headers['sec-fetch-site']
    if (site !== undefined && site !== 'same-origin')
      throw new Problem(403, 'origin', 'Submit the form on the payment page itself.')
    return find(request)
  }
}

function sendPurchasePage(reply: FastifyReply, purchase: SandboxPurchase | undefined, error?: FormError): FastifyReply {
  reply.type('text/html; charset=utf-8')
  if (purchase === undefined) return reply.code(404).send(renderMissingPage())
  return reply.code(error === undefined ? 200 : 422).send(renderSandboxPage(purchase, error))
}

/** Redirects to the page, so that a reload does not submit the form again. */
function redirectToPage(reply: FastifyReply, purchase: SandboxPurchase | undefined): FastifyReply {
  return purchase === undefined
    ? sendPurchasePage(reply, undefined)
    : reply.redirect(`${sandboxPath}/${purchase.page}`, 303)
}

function parsePaymentForm(body: unknown): PaymentForm {
  return {
    method: getFormText(body, 'method') === 'ach_bank_account' ? 'ach_bank_account' : 'card',
    number: getFormText(body, 'number'),
    expiry: getFormText(body, 'expiry'),
    cvc: getFormText(body, 'cvc'),
  }
}

function getFormText(value: unknown, key: string): string {
  const text = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
  return typeof text === 'string' ? text : ''
}
