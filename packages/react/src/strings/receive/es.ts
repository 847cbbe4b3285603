import type { ReceiveTexts } from './texts.ts'

export const strings: ReceiveTexts = {
  qr: (network) => `Código QR de tu dirección en ${network}`,
  only: (network) => `Envía a esta dirección solo activos de ${network}. Cualquier otra cosa puede perderse.`,
  share: 'Compartir',
  works: (count) => (count === 1 ? 'Válida en 1 red' : `Válida en ${count} redes`),
  hint: 'La dirección es tuya en cada una de estas redes. Quien te pague elige una de ellas.',
  none: 'Conecta una billetera para ver tu dirección.',
}
