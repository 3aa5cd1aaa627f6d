import { expect, it } from 'vitest';
import { createDevice } from './fake-push-service.ts';

const decode = (text: string) => Buffer.from(text, 'base64url');

it('reads the message that RFC 8291 has as its example (section 5)', () => {
  const { subscription, decrypt } = createDevice(
    'https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV',
    {
      privateKey: decode('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'),
      auth: decode('BTBZMqHH6r4Tts7J_aSIgg'),
    },
  );
  expect(subscription.keys.p256dh).toBe(
    'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  );
  const body =
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN';
  expect(decrypt(decode(body))).toBe('When I grow up, I want to be a watermelon');
});
