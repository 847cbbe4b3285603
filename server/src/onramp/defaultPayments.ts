import type { PaymentCurrency } from './onRampProvider.ts'

/** Currencies and limits of providers that report none [R9.4.6]. */
export const defaultPayments: readonly PaymentCurrency[] = ['USD', 'EUR'].map((id) => ({
  id,
  payment_method_limits: [
    { id: 'card', min: '10.00', max: '7500.00' },
    { id: 'ach_bank_account', min: '10.00', max: '25000.00' },
  ],
}))
