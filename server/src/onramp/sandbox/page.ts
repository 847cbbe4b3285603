import { decimal } from '../../kit/decimal.ts'
import { writeCents } from '../money.ts'
import type { PaymentMethod } from '../provider.ts'
import { bankCode, testCards } from './cards.ts'
import { limitOf, type Complaint } from './checkout.ts'
import { feeOf, sandboxFees, unitsFor } from './price.ts'
import type { Decline, SandboxPurchase } from './store.ts'

/** Where the sandbox's pages are. */
export const sandboxPath = '/onramp/sandbox'

const methods: Readonly<Record<PaymentMethod, string>> = { card: 'Card', ach_bank_account: 'Bank account' }

const declines: Readonly<Record<Decline, string>> = {
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

/** The page of a purchase, for what has become of it. There is no script in it. */
export function pageOf(purchase: SandboxPurchase, complaint?: Complaint): string {
  switch (purchase.status) {
    case 'open':
      return frame('Sandbox checkout', [summary(purchase), declined(purchase), form(purchase, complaint), cards()])
    case 'challenged':
      return frame('Confirm with your bank', [summary(purchase), declined(purchase), challenge(purchase)])
    case 'paid':
    case 'sent':
      return frame('Payment received', [
        done('The payment is received. The coins are on their way.'),
        `<a class="button" href="${sandboxPath}/${escape(purchase.page)}">Look again</a>`,
        backHint,
      ])
    case 'arrived':
      return frame('Purchase complete', [done(`${owedOf(purchase)} arrived.`), receipt(purchase), backHint])
    case 'refunded':
      return frame('Payment returned', [
        alert('The coins could not be sent, so the payment goes back to where it came from. Try again later.'),
        backHint,
      ])
    case 'cancelled':
      return frame('Purchase cancelled', ['<p>Nothing was paid.</p>', backHint])
  }
}

/** The page for an address that leads nowhere. */
export function missingPage(): string {
  return frame('No such purchase', ['<p>This purchase is over, or was never begun. Begin again in the app.</p>'])
}

const backHint = '<p class="hint">You can close this window and go on in the app.</p>'

function summary(purchase: SandboxPurchase): string {
  const { cents, currency, receiver, symbol, rate } = purchase
  return (
    '<dl>' +
    `<dt>You pay</dt><dd>${writeCents(cents)} ${currency}</dd>` +
    `<dt>You get by card</dt><dd>${estimate(purchase, 'card')}</dd>` +
    `<dt>You get by bank account</dt><dd>${estimate(purchase, 'ach_bank_account')}</dd>` +
    `<dt>Price</dt><dd>${rate} ${currency} per ${escape(symbol)}</dd>` +
    `<dt>To</dt><dd><code>${escape(receiver)}</code></dd>` +
    '</dl>'
  )
}

function estimate({ cents, rate, decimals, symbol }: SandboxPurchase, method: PaymentMethod): string {
  return `${decimal(unitsFor(cents - feeOf(cents, method), rate, decimals), decimals)} ${escape(symbol)}`
}

function owedOf({ units = 0n, decimals, symbol }: SandboxPurchase): string {
  return `${decimal(units, decimals)} ${escape(symbol)}`
}

function receipt({ hash = '', cents, currency }: SandboxPurchase): string {
  return `<dl><dt>Paid</dt><dd>${writeCents(cents)} ${currency}</dd><dt>Transaction</dt><dd><code>${hash}</code></dd></dl>`
}

function declined({ decline }: SandboxPurchase): string {
  return decline === undefined ? '' : alert(declines[decline])
}

function form({ page, currency, cents, method: before = 'card' }: SandboxPurchase, complaint?: Complaint): string {
  const choices = (['card', 'ach_bank_account'] as const).map((method) => {
    const { min = '', max = '' } = limitOf(currency, method) ?? {}
    return (
      `<label class="choice"><input type="radio" name="method" value="${method}"${method === before ? ' checked' : ''}>` +
      `${methods[method]}<small>${sandboxFees[method]} % fee, ${min} to ${max}</small></label>`
    )
  })
  return (
    `<form method="post" action="${sandboxPath}/${escape(page)}/pay">` +
    (complaint === 'limit'
      ? alert(`${writeCents(cents)} ${currency} cannot be paid in this way. Choose another.`)
      : '') +
    `<fieldset><legend>Pay with</legend>${choices.join('')}</fieldset>` +
    field('number', 'Card number', 'cc-number', complaint, 'Enter the number as it stands on the card.') +
    `<div class="pair">` +
    field('expiry', 'Expires (MM/YY)', 'cc-exp', complaint, 'Enter a month that is not over.') +
    field('cvc', 'Security code', 'cc-csc', complaint, 'Enter three or four digits.') +
    `</div><button type="submit">Pay ${writeCents(cents)} ${currency}</button></form>` +
    cancelForm(page)
  )
}

function field(
  name: 'number' | 'expiry' | 'cvc',
  label: string,
  autofill: string,
  complaint: Complaint | undefined,
  help: string,
): string {
  const isWrong = complaint === name
  const wrong = isWrong ? ` aria-invalid="true" aria-describedby="${name}-wrong" autofocus` : ''
  return (
    `<label>${label}<input name="${name}" inputmode="numeric" autocomplete="${autofill}" maxlength="23"${wrong}>` +
    (isWrong ? `<span class="wrong" id="${name}-wrong">${help}</span>` : '') +
    '</label>'
  )
}

function challenge({ page }: SandboxPurchase): string {
  return (
    `<form method="post" action="${sandboxPath}/${escape(page)}/confirm">` +
    '<label>Code from your bank<input name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="12" autofocus></label>' +
    `<p class="hint">The bank of the sandbox always sends ${bankCode}.</p>` +
    '<button type="submit">Confirm</button></form>' +
    cancelForm(page)
  )
}

function cancelForm(page: string): string {
  return `<form method="post" action="${sandboxPath}/${escape(page)}/cancel"><button class="quiet" type="submit">Cancel</button></form>`
}

function cards(): string {
  const rows = testCards.map(({ number, outcome }) => `<tr><td><code>${number}</code><td>${outcomes[outcome]}`)
  return (
    '<section><h2>Cards of the sandbox</h2><table><thead><tr><th scope="col">Number<th scope="col">What it does</thead>' +
    `<tbody>${rows.join('')}</tbody></table><p class="hint">Any month ahead and any code go with them. A bank account pays at once.</p></section>`
  )
}

function alert(sentence: string): string {
  return `<p class="alert" role="alert">${sentence}</p>`
}

function done(sentence: string): string {
  return `<p class="done" role="status">${sentence}</p>`
}

function frame(title: string, parts: readonly string[]): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<title>${title}</title><link rel="stylesheet" href="${sandboxPath}/style.css"></head><body><main>` +
    `<p class="flag">Sandbox: no real money</p><h1>${title}</h1>${parts.join('')}</main></body></html>`
  )
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
