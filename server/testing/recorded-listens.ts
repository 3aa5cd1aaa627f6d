import { PRODUCT_NAME } from '../env-settings.ts';

/**
 * What two clients of ListenBrainz sent for the same two listens: a check of the token, what is
 * playing, one listen, both listens. The clients aren't on npm, so their requests are kept here.
 */
type RecordedClient = {
  client: string;
  requests: { method: string; url: string; headers: Record<string, string>; body: string }[];
};

export const RECORDED_TOKEN = '8a0f2f0e-6f3a-4c35-9d1c-2f4a5b6c7d8e';

export const RECORDED_CLIENTS: RecordedClient[] = [
  {
    client: '@kellnerd/listenbrainz 0.9.2 (JSR)',
    requests: [
      {
        method: 'GET',
        url: '/1/validate-token',
        headers: {
          authorization: 'Token 8a0f2f0e-6f3a-4c35-9d1c-2f4a5b6c7d8e',
          'content-type': 'application/json',
        },
        body: '',
      },
      {
        method: 'POST',
        url: '/1/submit-listens',
        headers: {
          authorization: 'Token 8a0f2f0e-6f3a-4c35-9d1c-2f4a5b6c7d8e',
          'content-type': 'application/json',
        },
        body: `{"listen_type":"playing_now","payload":[{"track_metadata":{"artist_name":"Relay Room","track_name":"Substation Intro","release_name":"Golden Hour Pressure","additional_info":{"media_player":"${PRODUCT_NAME}","submission_client":"${PRODUCT_NAME}","duration_ms":180000}}}]}`,
      },
      {
        method: 'POST',
        url: '/1/submit-listens',
        headers: {
          authorization: 'Token 8a0f2f0e-6f3a-4c35-9d1c-2f4a5b6c7d8e',
          'content-type': 'application/json',
        },
        body: `{"listen_type":"single","payload":[{"listened_at":1794744000,"track_metadata":{"artist_name":"Relay Room","track_name":"Substation Intro","release_name":"Golden Hour Pressure","additional_info":{"media_player":"${PRODUCT_NAME}","submission_client":"${PRODUCT_NAME}","duration_ms":180000}}}]}`,
      },
      {
        method: 'POST',
        url: '/1/submit-listens',
        headers: {
          authorization: 'Token 8a0f2f0e-6f3a-4c35-9d1c-2f4a5b6c7d8e',
          'content-type': 'application/json',
        },
        body: `{"listen_type":"import","payload":[{"listened_at":1794744000,"track_metadata":{"artist_name":"Relay Room","track_name":"Substation Intro","release_name":"Golden Hour Pressure","additional_info":{"media_player":"${PRODUCT_NAME}","submission_client":"${PRODUCT_NAME}","duration_ms":180000}}},{"listened_at":1794744180,"track_metadata":{"artist_name":"Björk","track_name":"Jóga ✨","release_name":"Golden Hour Pressure","additional_info":{"media_player":"${PRODUCT_NAME}","submission_client":"${PRODUCT_NAME}","duration_ms":180000}}}]}`,
      },
    ],
  },
  {
    client: 'liblistenbrainz 0.5.6 (PyPI)',
    requests: [
      {
        method: 'GET',
        url: '/1/validate-token?token=8a0f2f0e-6f3a-4c35-9d1c-2f4a5b6c7d8e',
        headers: {},
        body: '',
      },
      {
        method: 'POST',
        url: '/1/submit-listens',
        headers: { authorization: 'Token 8a0f2f0e-6f3a-4c35-9d1c-2f4a5b6c7d8e' },
        body: `{"listen_type": "playing_now", "payload": [{"track_metadata": {"track_name": "Substation Intro", "artist_name": "Relay Room", "release_name": "Golden Hour Pressure", "additional_info": {"media_player": "${PRODUCT_NAME}", "submission_client": "${PRODUCT_NAME}", "duration_ms": 180000}}}]}`,
      },
      {
        method: 'POST',
        url: '/1/submit-listens',
        headers: { authorization: 'Token 8a0f2f0e-6f3a-4c35-9d1c-2f4a5b6c7d8e' },
        body: `{"listen_type": "single", "payload": [{"track_metadata": {"track_name": "Substation Intro", "artist_name": "Relay Room", "release_name": "Golden Hour Pressure", "additional_info": {"media_player": "${PRODUCT_NAME}", "submission_client": "${PRODUCT_NAME}", "duration_ms": 180000}}, "listened_at": 1794744000}]}`,
      },
      {
        method: 'POST',
        url: '/1/submit-listens',
        headers: { authorization: 'Token 8a0f2f0e-6f3a-4c35-9d1c-2f4a5b6c7d8e' },
        body: `{"listen_type": "import", "payload": [{"track_metadata": {"track_name": "Substation Intro", "artist_name": "Relay Room", "release_name": "Golden Hour Pressure", "additional_info": {"media_player": "${PRODUCT_NAME}", "submission_client": "${PRODUCT_NAME}", "duration_ms": 180000}}, "listened_at": 1794744000}, {"track_metadata": {"track_name": "J\\u00f3ga \\u2728", "artist_name": "Bj\\u00f6rk", "release_name": "Golden Hour Pressure", "additional_info": {"media_player": "${PRODUCT_NAME}", "submission_client": "${PRODUCT_NAME}", "duration_ms": 180000}}, "listened_at": 1794744180}]}`,
      },
    ],
  },
];
