import type { ReceiveTexts } from './texts.ts'

export const strings: ReceiveTexts = {
  qr: (network) => `Code QR de votre adresse sur ${network}`,
  only: (network) => `N’envoyez à cette adresse que des actifs sur ${network}. Tout autre envoi peut être perdu.`,
  share: 'Partager',
  works: (count) => (count < 2 ? `Valable sur ${count} réseau` : `Valable sur ${count} réseaux`),
  hint: 'Sur chacun de ces réseaux, l’adresse est la vôtre. La personne qui vous paie en choisit un.',
  none: 'Connectez un portefeuille pour voir votre adresse.',
}
