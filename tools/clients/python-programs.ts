import { findModuleVersion, runPython, type Program } from './program.ts';

const PYSONIC = `
import libsonic, sys
from urllib.parse import urlsplit
origin, user, password, what = sys.argv[1:5]
url = urlsplit(origin)
api = libsonic.Connection(f'{url.scheme}://{url.hostname}', user, password, port=url.port)
def sync():
  albums = api.getAlbumList2('newest')['albumList2']['album']
  found = {s['title'] for a in albums for s in api.getAlbum(a['id'])['album']['song']}
  assert found == {'Braai', 'Night Bus', 'Golden Hour Pressure'}, found
def search():
  assert [s['title'] for s in api.search3('night')['searchResult3']['song']] == ['Night Bus']
def play(): assert all(len(api.stream(f'mix-{n}').read()) > 10000 for n in range(3))
def favorite():
  api.star(['mix-1'])
  assert [s['id'] for s in api.getStarred2()['starred2']['song']] == ['mix-1']
  api.unstar(['mix-1'])
def playlist():
  api.createPlaylist(name='Mine', songIds=['mix-2', 'mix-0'])
  mine = api.getPlaylists()['playlists']['playlist'][0]
  assert [s['id'] for s in api.getPlaylist(mine['id'])['playlist']['entry']] == ['mix-2', 'mix-0']
  api.deletePlaylist(mine['id'])
def cover(): assert len(api.getCoverArt('mix-0', size=300).read()) > 100
def download(): assert len({api.download(f'mix-{n}').read() for n in range(3)}) == 3
assert api.ping()
globals()[what]()`;

/** The part of Sublime Music that talks to a server, without the window. */
const SUBLIME = `
import sys
from pathlib import Path
from urllib.request import urlopen
from sublime_music.adapters.adapter_base import AlbumSearchQuery
from sublime_music.adapters.subsonic.adapter import SubsonicAdapter
class Config(dict):
  def get_secret(self, name): return self[name]
origin, user, password, what = sys.argv[1:5]
config = Config(server_address=origin, username=user, password=password)
config.update(verify_cert=True, salt_auth=True)
api = SubsonicAdapter(config, Path('.'))
api.initial_sync()
def sync():
  albums = api.get_albums(AlbumSearchQuery(AlbumSearchQuery.Type.NEWEST))
  found = {s.title for a in albums for s in api.get_album(a.id).songs}
  assert found == {'Braai', 'Night Bus', 'Golden Hour Pressure'}, found
def search(): assert [s.title for s in api.search('night').songs] == ['Night Bus']
def play(): assert all(len(urlopen(api.get_song_stream_uri(f'mix-{n}')).read()) > 10000 for n in range(3))
def playlist():
  api.create_playlist('Mine', [api.get_song_details(f'mix-{n}') for n in (2, 0)])
  mine = api.get_playlists()[0]
  assert [s.id for s in api.get_playlist_details(mine.id).songs] == ['mix-2', 'mix-0']
  api.delete_playlist(mine.id)
def cover(): assert len(urlopen(api.get_cover_art_uri('mix-0', 'http', 300)).read()) > 100
def download():
  files = {urlopen(api.get_song_file_uri(f'mix-{n}', ['http'])).read() for n in range(3)}
  assert len(files) == 3
def scrobble(): api.scrobble_song(api.get_song_details('mix-0'))
try: globals()[what]()
finally: api.shutdown()`;

/** A check for each function of a script. */
const checksOf = (module: string, script: string, names: string[]): Program['checks'] =>
  Object.fromEntries(
    names.map((what) => [
      what,
      async ({ site, home }) => {
        const args = [site.origin, site.username, site.password, what];
        await runPython(module, script, args, home);
      },
    ]),
  );

/** Programs that speak Subsonic, without their windows. */
export const pythonPrograms: Record<string, Program> = {
  'py-sonic': {
    findVersion: findModuleVersion('libsonic', 'libsonic.__version__'),
    checks: checksOf('libsonic', PYSONIC, [
      'sync',
      'search',
      'play',
      'favorite',
      'playlist',
      'cover',
      'download',
    ]),
    cannot: 'seek (it has no call for a part)',
  },
  'sublime-music': {
    findVersion: findModuleVersion('sublime_music', 'sublime_music.__version__'),
    checks: checksOf('sublime_music', SUBLIME, [
      'sync',
      'search',
      'play',
      'playlist',
      'cover',
      'download',
      'scrobble',
    ]),
    cannot: 'favorite (it has none), seek and its window',
  },
};
