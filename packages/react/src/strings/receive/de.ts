import type { ReceiveTexts } from './texts.ts'

export const strings: ReceiveTexts = {
  qr: (network) => `QR-Code deiner Adresse auf ${network}`,
  only: (network) => `Sende an diese Adresse nur Werte auf ${network}. Alles andere kann verloren gehen.`,
  share: 'Teilen',
  works: (count) => (count === 1 ? 'Gilt in 1 Netzwerk' : `Gilt in ${count} Netzwerken`),
  hint: 'In jedem dieser Netzwerke gehört die Adresse dir. Wer dich bezahlt, wählt eines davon.',
  none: 'Verbinde eine Wallet, um deine Adresse zu sehen.',
}
