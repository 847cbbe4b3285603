import type { ReceiveTexts } from './texts.ts'

export const strings: ReceiveTexts = {
  qr: (network) => `Código QR do seu endereço em ${network}`,
  only: (network) => `Envie para este endereço apenas ativos em ${network}. Qualquer outra coisa pode se perder.`,
  share: 'Compartilhar',
  works: (count) => (count === 1 ? 'Vale em 1 rede' : `Vale em ${count} redes`),
  hint: 'Em cada uma destas redes o endereço é seu. Quem paga escolhe uma delas.',
  none: 'Conecte uma carteira para ver seu endereço.',
}
