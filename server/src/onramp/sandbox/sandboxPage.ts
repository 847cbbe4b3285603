import { formatBaseUnits } from '../../kit/chain/formatBaseUnits.ts'
import { formatCents } from '../cents.ts'
import type { PaymentMethod } from '../onRampProvider.ts'
import { bankCode, testCards } from './cards.ts'
import { findPaymentLimit, type FormError } from './checkout.ts'
import { getFee, sandboxFees, getUnits } from './sandboxFees.ts'
import type { DeclineReason, SandboxPurchase } from './sandboxStore.ts'
import { escapeHtml } from '../../kit/http/escapeHtml.ts'

/** The path of the sandbox's pages. */
export const sandboxPath = '/onramp/sandbox'

const methods: Readonly<Record<PaymentMethod, string>> = { card: 'Card', ach_bank_account: 'Bank account' }

const declines: Readonly<Record<DeclineReason, string>> = {
  declined: 'Your bank declined the card. Use another one.',
  funds: 'There is not enough money on this card. Use another one.',
  expired: 'This card has expired. Use another one.',
  code: 'The code was wrong.',
  strange: 'This is not a card of the sandbox. Do not enter a real one: use one of those listed below.',
}

const outcomes: Readonly<Record<(typeof testCards)[number]['outcome'], string>> = {
  paid: 'pays',
  challenged: 'asks for a code (3-D Secure), then pays',
  declined: 'is declined',
  funds: 'has not enough money',
  expired: 'has expired',
}

/** Renders the page of a purchase in its current status. The page has no scripts. */
export function renderSandboxPage(purchase: SandboxPurchase, error?: FormError): string {
  switch (purchase.status) {
    case 'open':
      return renderDocument('Sandbox checkout', [
        renderSummary(purchase),
        renderDecline(purchase),
        renderForm(purchase, error),
        renderCards(),
      ])
    case 'challenged':
      return renderDocument('Confirm with your bank', [
        renderSummary(purchase),
        renderDecline(purchase),
        renderChallenge(purchase),
      ])
    case 'paid':
    case 'sent':
      return renderDocument('Payment received', [
        renderDone('The payment is received. The coins are on their way.'),
        `<a class="button" href="${sandboxPath}/${escapeHtml(purchase.page)}">Look again</a>`,
        backHint,
      ])
    case 'arrived':
      return renderDocument('Purchase complete', [
        renderDone(`${formatOwedAmount(purchase)} arrived.`),
        renderReceipt(purchase),
        backHint,
      ])
    case 'refunded':
      return renderDocument('Payment returned', [
        renderAlert('The coins could not be sent, so the payment goes back to where it came from. Try again later.'),
        backHint,
      ])
    case 'cancelled':
      return renderDocument('Purchase cancelled', ['<p>Nothing was paid.</p>', backHint])
  }
}

/** Renders the page of an unknown purchase. */
export function renderMissingPage(): string {
  return renderDocument('No such purchase', [
    '<p>This purchase is over, or was never begun. Begin again in the app.</p>',
  ])
}

const backHint = '<p class="hint">You can close this window and go on in the app.</p>'

function renderSummary(purchase: SandboxPurchase): string {
  const { cents, currency, receiver, symbol, rate } = purchase
  return (
    '<dl>' +
    `<dt>You pay</dt><dd>${formatCents(cents)} ${currency}</dd>` +
    `<dt>You get by card</dt><dd>${formatEstimate(purchase, 'card')}</dd>` +
    `<dt>You get by bank account</dt><dd>${formatEstimate(purchase, 'ach_bank_account')}</dd>` +
    `<dt>Price</dt><dd>${rate} ${currency} per ${escapeHtml(symbol)}</dd>` +
    `<dt>To</dt><dd><code>${escapeHtml(receiver)}</code></dd>` +
    '</dl>'
  )
}

function formatEstimate({ cents, rate, decimals, symbol }: SandboxPurchase, method: PaymentMethod): string {
  return `${formatBaseUnits(getUnits(cents - getFee(cents, method), rate, decimals), decimals)} ${escapeHtml(symbol)}`
}

function formatOwedAmount({ units = 0n, decimals, symbol }: SandboxPurchase): string {
  return `${formatBaseUnits(units, decimals)} ${escapeHtml(symbol)}`
}

function renderReceipt({ hash = '', cents, currency }: SandboxPurchase): string {
  return `<dl><dt>Paid</dt><dd>${formatCents(cents)} ${currency}</dd><dt>Transaction</dt><dd><code>${hash}</code></dd></dl>`
}

function renderDecline({ decline }: SandboxPurchase): string {
  return decline === undefined ? '' : renderAlert(declines[decline])
}

function renderForm({ page, currency, cents, method: before = 'card' }: SandboxPurchase, error?: FormError): string {
  const choices = (['card', 'ach_bank_account'] as const).map((method) => {
    const { min = '', max = '' } = findPaymentLimit(currency, method) ?? {}
    return (
      `<label class="choice"><input type="radio" name="method" value="${method}"${method === before ? ' checked' : ''}>` +
      `${methods[method]}<small>${sandboxFees[method]} % fee, ${min} to ${max}</small></label>`
    )
  })
  return (
    `<form method="post" action="${sandboxPath}/${escapeHtml(page)}/pay">` +
    (error === 'limit'
      ? renderAlert(`${formatCents(cents)} ${currency} cannot be paid in this way. Choose another.`)
      : '') +
    `<fieldset><legend>Pay with</legend>${choices.join('')}</fieldset>` +
    renderField('number', 'Card number', 'cc-number', error, 'Enter the number as it stands on the card.') +
    `<div class="pair">` +
    renderField('expiry', 'Expires (MM/YY)', 'cc-exp', error, 'Enter a month that is not over.') +
    renderField('cvc', 'Security code', 'cc-csc', error, 'Enter three or four digits.') +
    `</div><button type="submit">Pay ${formatCents(cents)} ${currency}</button></form>` +
    renderCancelForm(page)
  )
}

function renderField(
  name: 'number' | 'expiry' | 'cvc',
  label: string,
  autofill: string,
  error: FormError | undefined,
  help: string,
): string {
  const isWrong = error === name
  const wrong = isWrong ? ` aria-invalid="true" aria-describedby="${name}-wrong" autofocus` : ''
  return (
    `<label>${label}<input name="${name}" inputmode="numeric" autocomplete="${autofill}" maxlength="23"${wrong}>` +
    (isWrong ? `<span class="wrong" id="${name}-wrong">${help}</span>` : '') +
    '</label>'
  )
}

function renderChallenge({ page }: SandboxPurchase): string {
  return (
    `<form method="post" action="${sandboxPath}/${escapeHtml(page)}/confirm">` +
    '<label>Code from your bank<input name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="12" autofocus></label>' +
    `<p class="hint">The bank of the sandbox always sends ${bankCode}.</p>` +
    '<button type="submit">Confirm</button></form>' +
    renderCancelForm(page)
  )
}

function renderCancelForm(page: string): string {
  return `<form method="post" action="${sandboxPath}/${escapeHtml(page)}/cancel"><button class="quiet" type="submit">Cancel</button></form>`
}

function renderCards(): string {
  const rows = testCards.map(({ number, outcome }) => `<tr><td><code>${number}</code><td>${outcomes[outcome]}`)
  return (
    '<section><h2>Cards of the sandbox</h2><table><thead><tr><th scope="col">Number<th scope="col">What it does</thead>' +
    `<tbody>${rows.join('')}</tbody></table><p class="hint">Any month ahead and any code go with them. A bank account pays at once.</p></section>`
  )
}

function renderAlert(sentence: string): string {
  return `<p class="alert" role="alert">${sentence}</p>`
}

function renderDone(sentence: string): string {
  return `<p class="done" role="status">${sentence}</p>`
}

function renderDocument(title: string, paragraphs: readonly string[]): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<title>${title}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${sandboxPath}/style.css"></head><body><main>` +
    `<p class="flag">Sandbox: no real money</p><h1>${title}</h1>${paragraphs.join('')}</main></body></html>`
  )
}
