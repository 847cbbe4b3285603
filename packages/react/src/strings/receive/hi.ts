import type { ReceiveTexts } from './texts.ts'

export const strings: ReceiveTexts = {
  qr: (network) => `${network} पर आपके पते का QR कोड`,
  only: (network) => `इस पते पर केवल ${network} की संपत्ति भेजें। बाकी सब खो सकता है।`,
  share: 'साझा करें',
  works: (count) => `${count} नेटवर्क पर मान्य`,
  hint: 'इनमें से हर नेटवर्क पर यह पता आपका है। भुगतान करने वाला इनमें से एक चुनता है।',
  none: 'अपना पता देखने के लिए वॉलेट कनेक्ट करें।',
}
