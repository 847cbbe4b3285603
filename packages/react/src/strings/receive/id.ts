import type { ReceiveTexts } from './texts.ts'

export const strings: ReceiveTexts = {
  qr: (network) => `Kode QR alamat Anda di ${network}`,
  only: (network) => `Kirim hanya aset di ${network} ke alamat ini. Selain itu bisa hilang.`,
  share: 'Bagikan',
  works: (count) => `Berlaku di ${count} jaringan`,
  hint: 'Di setiap jaringan ini alamatnya milik Anda. Pembayar memilih salah satunya.',
  none: 'Hubungkan dompet untuk melihat alamat Anda.',
}
